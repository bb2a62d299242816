import { billions, clean, size, whole } from './format.mjs';
import { wrap } from './layout.mjs';

/**
 * @import { AttentionLabel, ModelPart, ModelReport, PartParameters } from '../../ridgepoint.d.ts'
 * @import { Style } from './report-text.mjs'
 */

/** @type {Partial<Record<AttentionLabel, string>>} the others are acronyms */
const ATTENTION = { hybrid: 'hybrid', encoder: 'encoder', none: 'no attention' };

/** @type {Record<ModelPart, string>} */
const NAMES = {
  embedding: 'embedding',
  per_layer_embedding: 'per-layer embedding',
  lm_head: 'output matrix',
  attention: 'attention',
  state_mixer: 'state layers',
  dense_ffn: 'dense feed-forward',
  router: 'router',
  experts: 'experts',
  shared_experts: 'shared experts',
  norms: 'norms',
  encoder: 'encoder',
  vision: 'vision',
  audio: 'audio',
  mtp: 'MTP',
};

/** Every language model has these, so they alone are no news. */
const PLAIN = new Set(['embedding', 'lm_head', 'attention', 'dense_ffn', 'norms']);

// A part below this share of the whole would only make the line longer.
const LEAST_SHARE = 0.001;

/**
 * What the model was read as, in lines.
 *
 * @param {ModelReport} model
 * @param {Style} style
 */
export function modelText(model, style) {
  return [...facts(model, style), ...parts(model, style), ...assumed(model, style)];
}

/** @param {ModelReport} model @param {Style} style */
function facts(model, { paint, width }) {
  const attention = ATTENTION[model.attention] ?? clean(model.attention).toUpperCase();
  const words = [attention, `${whole(model.layers)} layers`];
  if (model.parameters > 0) words.unshift(`${billions(model.parameters)} parameters`);
  if (model.moe) words.push(`${billions(model.active_parameters)} active`);
  const source = clean(model.weights_source);
  words.push(`checkpoint ${size(model.checkpoint_bytes)}${source && ` (${source})`}`);
  return wrap(words.join(', '), { width }).map(paint.dim);
}

/** The parameters by part, largest first, where a model has more than any has. @param {ModelReport} model @param {Style} style */
function parts({ parameters_by_part = {}, parameters }, { paint, width }) {
  const entries = /** @type {[ModelPart, PartParameters][]} */ (Object.entries(parameters_by_part));
  if (entries.every(([name]) => PLAIN.has(name))) return [];
  const words = entries
    .filter(([name, { total }]) => name !== 'mtp' && total >= LEAST_SHARE * parameters)
    .sort(([, a], [, b]) => b.total - a.total)
    .map(([name, { total, active }]) => {
      const some = active === total ? '' : ` (${billions(active)} active)`;
      return `${NAMES[name] ?? clean(name)} ${billions(total)}${some}`;
    });
  const lines = wrap(words.join(', '), { width, first: 'parts  ' });
  const { mtp } = parameters_by_part;
  if (mtp) lines.push(`MTP    ${billions(mtp.total)} parameters, counted apart and not loaded`);
  return lines.map(paint.dim);
}

/** A guess is said before any number that rests on it. @param {ModelReport} model @param {Style} style */
function assumed({ confidence, notes }, { paint, width }) {
  if (confidence !== 'assumed') return [];
  const text = 'A part of this model had to be guessed; all that follows rests on it.';
  return [
    ...wrap(text, { width, first: 'ASSUMED  ' }).map(paint.warn),
    ...notes.flatMap((note) => wrap(clean(note), { width, first: '  - ' })),
  ];
}
