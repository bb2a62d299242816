import { count } from '../../numbers';
import { CUSTOM_GPU, flagsOf, type Inputs } from '../../state';
import type { Catalogue } from '../../types';

// What was typed differently into two setups.

export interface InputDifference {
  /** An input by its id, `flag-…` for a flag, or a variable or term by its name. */
  field: string;
  kind: 'input' | 'flag' | 'variable' | 'measured';
  /** As it is to be shown; empty where nothing was given. */
  values: [string, string];
}

const lengths = ['context', 'concurrency', 'prompt', 'output'] as const;
const sizes = [
  ['free', 'GiB'],
  ['gpuTotal', 'GiB'],
  ['gpuBandwidth', 'GB/s'],
  ['gpuFlops', 'TFLOP/s'],
] as const;

type Sides = readonly [Inputs, Inputs];
type Texts = { pasted: string; custom: string };

const both = <T>([a, b]: Sides, of: (inputs: Inputs) => T): [T, T] => [of(a), of(b)];

function differing(
  sides: Sides,
  field: string,
  shown: (inputs: Inputs) => string,
  meant: (inputs: Inputs) => unknown = shown,
): InputDifference[] {
  const [a, b] = both(sides, meant);
  return a === b ? [] : [{ field, kind: 'input', values: both(sides, shown) }];
}

function named(
  kind: 'flag' | 'variable' | 'measured',
  [a, b]: [Record<string, string>, Record<string, string>],
): InputDifference[] {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...names].flatMap((name) => {
    const values: [string, string] = [(a[name] ?? '').trim(), (b[name] ?? '').trim()];
    return values[0] === values[1] ? [] : [{ field: name, kind, values }];
  });
}

export function inputDifferences(
  sides: Sides,
  { gpus, engines }: Pick<Catalogue, 'gpus' | 'engines'>,
  whole: (value: number) => string,
  texts: Texts,
): InputDifference[] {
  const configs = (inputs: Inputs) => inputs.use === 'config';
  const cardOf = ({ gpu }: Inputs) => {
    const wanted = gpu.trim().toLowerCase();
    return gpus.find(({ id, aliases }) => id === wanted || aliases.includes(wanted));
  };
  const lengthOf = (text: string) => {
    const value = count(text);
    return typeof value === 'number' ? whole(value) : text.trim();
  };
  const versions = (inputs: Inputs) =>
    inputs.version.trim() ||
    (engines.find(({ name }) => name === inputs.engine)?.versions.at(-1) ?? '');
  const numbers = (field: 'count' | (typeof lengths)[number]) =>
    differing(
      sides,
      field,
      (inputs) => lengthOf(inputs[field]),
      (inputs) => count(inputs[field]),
    );
  const elsewhere = both(sides, configs).some((is) => !is);
  return [
    ...differing(
      sides,
      'model',
      (inputs) => (configs(inputs) ? inputs.configName || texts.pasted : inputs.model.trim()),
      (inputs) => (configs(inputs) ? inputs.config : inputs.model.trim().toLowerCase()),
    ),
    ...(elsewhere
      ? [
          ...differing(sides, 'revision', ({ revision }) => revision.trim()),
          ...differing(sides, 'hub', ({ hub }) => hub.trim()),
        ]
      : []),
    ...differing(sides, 'quant', ({ quant }) => quant.trim()),
    ...differing(
      sides,
      'gpu',
      (inputs) =>
        inputs.gpu === CUSTOM_GPU ? texts.custom : (cardOf(inputs)?.name ?? inputs.gpu.trim()),
      (inputs) => cardOf(inputs)?.id ?? inputs.gpu,
    ),
    ...numbers('count'),
    ...sizes.flatMap(([field, unit]) =>
      differing(
        sides,
        field,
        (inputs) => (inputs[field].trim() ? `${inputs[field].trim()} ${unit}` : ''),
        (inputs) => count(inputs[field]),
      ),
    ),
    ...differing(sides, 'engine', ({ engine }) => engine),
    ...(sides[0].engine === sides[1].engine
      ? differing(sides, 'version', ({ version }) => version.trim(), versions)
      : differing(sides, 'version', versions)),
    ...lengths.flatMap(numbers),
    ...named('flag', both(sides, flagsOf)),
    ...named(
      'variable',
      both(sides, ({ env }) => env),
    ),
    ...named(
      'measured',
      both(sides, ({ measured }) => measured),
    ),
  ];
}
