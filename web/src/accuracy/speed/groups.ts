import type { Point } from './packed';

// What measured speeds are told apart by, in the order in which they are shown.

export const figures = ['tpot', 'ttft', 'output_tok_s'] as const;
export type FigureName = (typeof figures)[number];

export const groups = [
  'data centre, dense',
  'data centre, mixtures',
  'one workstation card, dense',
  'one workstation card, mixtures',
  'SGLang, dense',
  'SGLang, mixtures',
  'llama.cpp',
  'others, dense',
  'others, mixtures',
] as const;
export type Group = (typeof groups)[number];

export const placeOf = (group: string) => (groups as readonly string[]).indexOf(group);

export const kinds = ['dense', 'moe'] as const;
export type Kind = (typeof kinds)[number];

/** The group of llama.cpp does not tell: the names of mixtures that were run there. */
const MIXTURE = /gpt-oss|Mixtral|-A\d+B|DeepSeek-[VR]\d/i;

export const kindOf = ({ group, model }: Pick<Point, 'group' | 'model'>): Kind =>
  group.includes('mixtures') || (group === 'llama.cpp' && MIXTURE.test(model)) ? 'moe' : 'dense';

const OWN_NAMES: Record<string, string> = { 'tensorrt-llm': 'trtllm', 'llama.cpp': 'llamacpp' };

/** The engine by the name that the calculator has for it. */
export const engineOf = ({ engine }: Pick<Point, 'engine'>) => OWN_NAMES[engine] ?? engine;
