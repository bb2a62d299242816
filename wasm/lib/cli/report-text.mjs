import {
  basis,
  billions,
  clean,
  duration,
  estimate,
  fixed,
  gib,
  short,
  size,
  span,
  whole,
} from './format.mjs';
import { columns, wrap } from './layout.mjs';

/**
 * @import { Estimate, Report, WorkloadRequest } from '../../ridgepoint.d.ts'
 * @import { Paint } from './colour.mjs'
 * @typedef {{ paint: Paint, width: number }} Style
 * @typedef {{ input: string, workload: WorkloadRequest }} Asked
 */

/**
 * A report for people, verdict first.
 *
 * @param {Report} report
 * @param {Asked} asked what was asked
 * @param {Style} style
 * @returns {string[]} lines
 */
export function reportText(report, asked, style) {
  const assumptions = report.assumptions.filter((each) => !report.model.notes.includes(each));
  return [
    ...heading(report, asked, style),
    '',
    ...capacity(report),
    '',
    ...memory(report, style),
    '',
    ...naive(report, style),
    ...speed(report, asked),
    ...advice(report, style),
    ...list('Notes on the model', report.model.notes, style),
    ...list('Assumed', assumptions, style),
  ];
}

/** @param {Report} report @param {Asked} asked @param {Style} style */
function heading({ model, verdict, gpu, engine, memory }, { input }, { paint, width }) {
  const word = verdict.serves ? paint.good('SERVES') : paint.bad('DOES NOT SERVE');
  const name = clean(model.id || input);
  const card = clean(gpu.name || gpu.id) || `a card of ${size(memory.per_gpu.total)}`;
  const cards =
    engine.tensor_parallel_size * engine.pipeline_parallel_size * engine.data_parallel_size;
  const parts = [clean(model.attention).toUpperCase(), `${whole(model.layers)} layers`];
  if (model.parameters > 0) parts.unshift(`${billions(model.parameters)} parameters`);
  if (model.moe) parts.push(`${billions(model.active_parameters)} active`);
  const source = clean(model.weights_source);
  parts.push(`checkpoint ${size(model.checkpoint_bytes)}${source && ` (${source})`}`);
  const lines = [
    `${word}  ${paint.bold(name)} on ${cards} x ${card}, ${clean(engine.name)} ${clean(engine.version)}`,
    paint.dim(parts.join(', ')),
    ...wrap(clean(verdict.text), { width }),
  ];
  if (!verdict.serves) {
    const gap = verdict.needed_bytes - verdict.available_bytes;
    lines.push(
      `limit: ${clean(verdict.limit)}; needed ${size(verdict.needed_bytes)}, available ${size(verdict.available_bytes)}` +
        (gap > 0 ? `, short by ${size(gap)}` : ''),
    );
  }
  return lines;
}

/** @param {Report} report */
function capacity({ capacity, cache, memory, engine }) {
  return columns([
    [`requests of ${whole(capacity.context)} tokens`, estimate(capacity.max_requests, whole)],
    [
      `concurrency the engine prints, at ${whole(engine.max_model_len)}`,
      estimate(capacity.max_concurrency, fixed, 'x'),
    ],
    ['longest context of one request', `${whole(capacity.max_context)} tokens`],
    ['KV pool of one GPU', estimate(memory.per_gpu.kv_pool, gib, ' GiB')],
    ['KV pool in tokens', estimate(cache.tokens, whole)],
    ['KV cache of one token', size(cache.bytes_per_token)],
  ]);
}

/** @param {Report} report @param {Style} style */
function memory({ memory: { per_gpu } }, { paint }) {
  /** @type {[string, Estimate | null][]} */
  const terms = [
    ['weights', per_gpu.weights],
    ['activation peak', per_gpu.activation],
    ['CUDA graphs', per_gpu.cuda_graphs_charged],
    ['outside PyTorch', per_gpu.non_torch],
    ['KV pool', per_gpu.kv_pool],
  ];
  const share = (/** @type {number} */ bytes) => `${fixed((100 * bytes) / per_gpu.total, 1)} %`;
  const rows = terms.flatMap(([name, term]) =>
    term ? [[name, gib(term.best), span(term, gib), share(term.best), basis(term)]] : [],
  );
  if (per_gpu.requested !== null && per_gpu.requested < per_gpu.total) {
    const rest = per_gpu.total - per_gpu.requested;
    rows.push(['not claimed', gib(rest), '', share(rest), '']);
  }
  rows.push(['whole card', gib(per_gpu.total), '', '100.0 %', '']);
  const [head, ...body] = columns([['one GPU', 'GiB', 'range', 'share', 'basis'], ...rows], {
    indent: 2,
    right: [1, 3],
  });
  const graphs = per_gpu.cuda_graphs;
  const uncharged =
    graphs && per_gpu.cuda_graphs_charged && graphs.best !== per_gpu.cuda_graphs_charged.best
      ? [
          `  CUDA graphs take ${estimate(graphs, gib, ' GiB')}; charged above is what this version subtracts.`,
        ]
      : [];
  return [paint.bold('Memory of one GPU'), paint.dim(head), ...body, ...uncharged];
}

/** @param {Report} report @param {Style} style */
function naive({ naive }, { paint, width }) {
  const answer = naive.fits
    ? `it fits, ${whole(naive.max_requests)} requests at ${size(naive.bytes_per_token)} a token.`
    : 'it does not fit.';
  return [
    `${paint.bold('The usual formula says')}: ${answer}`,
    ...wrap(clean(naive.why), { width, indent: '  ', first: '  ' }),
  ];
}

/** @param {Report} report @param {Asked} asked */
function speed({ speed, capacity, verdict }, { workload }) {
  // The speed of what does not start is a number about nothing.
  if (!verdict.serves) return [];
  if (!speed) return ['', 'Speed: not known for this card.'];
  const prompt = whole(workload.prompt ?? capacity.context);
  const requests = workload.concurrency ?? 1;
  const together = requests === 1 ? '1 request' : `${whole(requests)} requests together`;
  const rows = columns([
    [`first token of a prompt of ${prompt}`, estimate(speed.ttft_s, duration)],
    ['then a token every', estimate(speed.tpot_s, duration)],
    [together, estimate(speed.decode_tokens_per_s, short, ' tokens/s')],
    ['compute-bound from', `${whole(speed.ridge_batch)} requests together`],
  ]);
  return ['', ...rows];
}

/** @param {Report} report @param {Style} style */
function advice(report, style) {
  return list(
    'To change it',
    report.advice.map(({ change, effect }) => `${change}: ${effect}`),
    style,
  );
}

/** @param {string} title @param {string[]} items @param {Style} style */
function list(title, items, { paint, width }) {
  if (items.length === 0) return [];
  return [
    '',
    paint.bold(title),
    ...items.flatMap((item) => wrap(clean(item), { width, first: '  - ' })),
  ];
}

/**
 * The working: each term with its formula, its numbers and its source.
 *
 * @param {Report} report
 * @param {Style} style
 * @returns {string[]} lines
 */
export function explainText({ explain }, { paint, width }) {
  const lines = explain.flatMap(({ term, formula, with_numbers, value, unit, source }) => [
    '',
    `${paint.bold(clean(term))} = ${quantity(value, clean(unit))}`,
    ...wrap(clean(formula), { width, first: '  = ', indent: '    ' }),
    ...wrap(clean(with_numbers), { width, first: '  = ', indent: '    ' }),
    ...wrap(`${clean(source)}`, { width, first: '  source: ', indent: '    ' }).map(paint.dim),
  ]);
  return ['', paint.bold('How each term comes about'), ...lines];
}

/** @param {number} value @param {string} unit */
function quantity(value, unit) {
  if (unit === 'bytes') return size(value);
  if (unit === 'seconds') return duration(value);
  return `${Number.isInteger(value) ? whole(value) : short(value)} ${unit}`;
}
