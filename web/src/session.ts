import type { Source } from './command';
import type { Calculator } from './engine';
import { buildRequest, builtIn } from './request';
import {
  CUSTOM_GPU,
  DEFAULT_HUB,
  DEFAULT_REVISION,
  type Fetched,
  hubOf,
  type Inputs,
  revisionOf,
  type Weights,
} from './state';
import type { Extras, Problem, Report, Request } from './types';
import type { Words } from './words/en';

/** The last good answer and the question it answers; it outlives a bad input. */
export interface Answer {
  report: Report;
  extras: Extras;
  request: Request;
  /** What names the model on a command line. */
  source: Source;
  modelLabel: string;
  cardLabel: string;
}

/** `problem`, `pending` or `waiting` beside an answer means that the answer is stale. */
export interface Session {
  answer: Answer | null;
  problem: Problem | null;
  /** The id or URL in the model box that only the reader may have fetched. */
  pending: string | null;
  /** The part of the core that answers this is on its way. */
  waiting: boolean;
}

export const empty: Session = { answer: null, problem: null, pending: null, waiting: false };

function modelLabel(inputs: Inputs, report: Report, weights: Weights | null, words: Words): string {
  if (weights?.alone) return weights.name;
  if (inputs.use === 'config') return inputs.configName || report.model.id || words.asked.pasted;
  return report.model.id || inputs.model.trim();
}

/** The model as the command line takes it; a built-in one needs neither hub nor revision. */
function commandSource(
  inputs: Inputs,
  core: Pick<Calculator, 'catalogue'>,
  weights: Weights | null,
): Source {
  if (weights?.alone) return { word: weights.name };
  const source = configSource(inputs, core);
  return weights ? { ...source, weights: weights.name } : source;
}

function configSource(inputs: Inputs, core: Pick<Calculator, 'catalogue'>): Source {
  if (inputs.use === 'config') return { word: inputs.configName || 'config.json' };
  const word = inputs.model.trim();
  if (builtIn(word, core.catalogue)) return { word };
  return {
    word,
    ...(hubOf(inputs) === DEFAULT_HUB ? {} : { hub: hubOf(inputs) }),
    ...(revisionOf(inputs) === DEFAULT_REVISION ? {} : { revision: revisionOf(inputs) }),
  };
}

export function evaluate(
  core: Pick<Calculator, 'catalogue' | 'evaluate'>,
  inputs: Inputs,
  fetched: Fetched | null,
  weights: Weights | null,
  before: Session,
  words: Words,
): Session {
  const built = buildRequest(inputs, core.catalogue, fetched, weights, words);
  const stale = { ...empty, answer: before.answer };
  if ('pending' in built) return { ...stale, pending: built.pending };
  if ('problem' in built) return { ...stale, problem: built.problem };
  const { request } = built;
  const result = core.evaluate(request);
  if ('waiting' in result) return { ...stale, waiting: true };
  if ('error' in result) return { ...stale, problem: result.error as Problem };
  const extras = result as Extras;
  const name =
    inputs.gpu === CUSTOM_GPU
      ? words.verdict.customCard
      : extras.gpu?.name || String(request.gpu.id);
  return {
    answer: {
      report: result,
      extras,
      request,
      source: commandSource(inputs, core, weights),
      modelLabel: modelLabel(inputs, result, weights, words),
      cardLabel: `${request.gpu.count ?? 1} × ${name}`,
    },
    problem: null,
    pending: null,
    waiting: false,
  };
}
