import { calculatorPage } from '../../assets';
import { toHash } from '../../hash';
import { example, type Inputs } from '../../state';
import { engineOf } from './groups';
import type { Point } from './packed';

// Where a measured speed stands, and its setup in the calculator.

/** Ids of the hub; files of weights have none. */
const HUB_ID = /^[\w.-]+\/[\w.-]+$/;
/** What the calculator takes for a version; builds of a day have no number. */
const RELEASE = /^(?:\d+\.\d+(?:\.\d+)?|b\d+$)/;

/** Models whose config lies under another name. */
const CONFIG_OF: Record<string, string> = {
  'meta-llama/Llama-2-7b': 'meta-llama/Llama-2-7b-hf',
  'zhipuai/GLM-5': 'zai-org/GLM-5',
};

const text = (value: number | null) => (value ? String(value) : '');

/** The card and the model by the names that the calculator has for them; null where it has none. */
export function setupOf(point: Point): Inputs | null {
  const engine = engineOf(point);
  if (!HUB_ID.test(point.model) || point.card === '') return null;
  const parallel: Record<string, string> =
    point.cards > 1 && engine !== 'llamacpp' ? { 'tensor-parallel-size': String(point.cards) } : {};
  const tokens = (point.input ?? 0) + (point.output ?? 0);
  return {
    ...example,
    model: CONFIG_OF[point.model] ?? point.model,
    gpu: point.card.toLowerCase(),
    count: String(point.cards),
    engine,
    version: RELEASE.exec(point.version)?.[0] ?? '',
    context: text(tokens),
    prompt: text(point.input),
    output: text(point.output),
    concurrency: text(point.users),
    args: { [engine]: parallel },
  };
}

export function calculatorLink(point: Point): string | null {
  const inputs = setupOf(point);
  return inputs && `${calculatorPage}${toHash(inputs)}`;
}

const GITHUB = /^github:([\w.-]+\/[\w.-]+)(?:\s+(\S+\/\S+))?$/;
const REPOSITORY = /^github:([\w.-]+\/[\w.-]+)/;

/** The address of a source, where it is one or names a repository. */
export function addressOf(source: string): string | null {
  if (/^https:\/\/\S+$/.test(source)) return source;
  const [, file, path] = GITHUB.exec(source) ?? [];
  if (file && path) return `https://github.com/${file}/blob/HEAD/${path}`;
  const repository = REPOSITORY.exec(source)?.[1];
  return repository ? `https://github.com/${repository}` : null;
}
