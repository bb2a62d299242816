import {
  basis,
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
import { modelText } from './model-text.mjs';

/**
 * @import { CacheReport, Estimate, Report, WorkloadRequest } from '../../ridgepoint.d.ts'
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
    // Where something was guessed they stand with the model already.
    ...(report.model.confidence === 'assumed'
      ? []
      : list('Notes on the model', report.model.notes, style)),
    ...list('Assumed', assumptions, style),
  ];
}

/** @param {Report} report @param {Asked} asked @param {Style} style */
function heading({ model, verdict, gpu, engine, memory }, { input }, style) {
  const { paint, width } = style;
  const word = verdict.serves ? paint.good('SERVES') : paint.bad('DOES NOT SERVE');
  const name = clean(model.id || input);
  const card = clean(gpu.name || gpu.id) || `a card of ${size(memory.per_gpu.total)}`;
  const cards =
    engine.tensor_parallel_size * engine.pipeline_parallel_size * engine.data_parallel_size;
  const lines = [
    `${word}  ${paint.bold(name)} on ${cards} x ${card}, ${clean(engine.name)} ${clean(engine.version)}`,
    ...modelText(model, style),
    ...wrap(clean(verdict.text), { width }),
  ];
  if (!verdict.serves) {
    const gap = verdict.needed_bytes - verdict.available_bytes;
    lines.push(
      `limit: ${clean(verdict.limit)}; needed ${size(verdict.needed_bytes)}, available ${size(verdict.available_bytes)}` +
        (gap > 0 && verdict.limit !== 'architecture' ? `, short by ${size(gap)}` : ''),
    );
  }
  return lines;
}

/** @param {Report} report */
function capacity({ capacity, cache, memory, engine }) {
  const requests = [
    `requests of ${whole(capacity.context)} tokens`,
    estimate(capacity.max_requests, whole),
  ];
  const longest = ['longest context of one request', `${whole(capacity.max_context)} tokens`];
  if (cachesNothing(cache)) {
    return columns([requests, longest, ['KV cache', 'none: nothing is cached']]);
  }
  const rows = [
    requests,
    [
      `concurrency the engine prints, at ${whole(engine.max_model_len)}`,
      estimate(capacity.max_concurrency, fixed, 'x'),
    ],
    longest,
    ['KV pool of one GPU', estimate(memory.per_gpu.kv_pool, gib, ' GiB')],
    ['KV pool in tokens', estimate(cache.tokens, whole)],
    [
      'KV cache of one token',
      cache.bytes_per_token > 0 ? size(cache.bytes_per_token) : 'none: only the state is kept',
    ],
  ];
  if (cache.state_bytes_per_request > 0) {
    rows.push(['state of one request', size(cache.state_bytes_per_request)]);
  }
  return columns(rows);
}

/** An encoder keeps nothing from one token to the next. @param {CacheReport} cache */
const cachesNothing = ({ bytes_per_token, state_bytes_per_request }) =>
  bytes_per_token === 0 && state_bytes_per_request === 0;

/** @param {Report} report @param {Style} style */
function memory({ memory: { per_gpu }, cache, engine }, { paint, width }) {
  const ggml = engine.name === 'llamacpp';
  /** @type {[string, Estimate | null][]} */
  const terms = [
    ['weights', per_gpu.weights],
    [ggml ? 'compute buffer' : 'activation peak', per_gpu.activation],
    ['CUDA graphs', per_gpu.cuda_graphs_charged],
    [ggml ? 'driver context' : 'outside PyTorch', per_gpu.non_torch],
    [cachesNothing(cache) ? 'left free' : 'KV pool', per_gpu.kv_pool],
  ];
  const share = (/** @type {number} */ bytes) => `${fixed((100 * bytes) / per_gpu.total, 1)} %`;
  const rows = terms.flatMap(([name, term]) =>
    term ? [[name, gib(term.best), span(term, gib), share(term.best), basis(term)]] : [],
  );
  const used = terms.reduce((sum, [, term]) => sum + (term?.best ?? 0), 0);
  if (used < per_gpu.total) {
    const rest = per_gpu.total - used;
    rows.push([
      per_gpu.requested === null ? 'left over' : 'not claimed',
      gib(rest),
      '',
      share(rest),
      '',
    ]);
  }
  rows.push(['whole card', gib(per_gpu.total), '', '100.0 %', '']);
  const [head, ...body] = columns([['one GPU', 'GiB', 'range', 'share', 'basis'], ...rows], {
    indent: 2,
    right: [1, 3],
  });
  const graphs = per_gpu.cuda_graphs;
  const uncharged =
    graphs && per_gpu.cuda_graphs_charged && graphs.best !== per_gpu.cuda_graphs_charged.best
      ? unlessWider(
          `  CUDA graphs take ${estimate(graphs, gib, ' GiB')}; charged above is what this version subtracts.`,
          width,
        )
      : [];
  return [paint.bold('Memory of one GPU'), paint.dim(head), ...body, ...uncharged];
}

/** The line as it is, with the gaps in it, or broken where it is too long. @param {string} line @param {number} width */
const unlessWider = (line, width) =>
  line.length > width ? wrap(line, { width, first: '  ', indent: '  ' }) : [line];

/** @param {Report} report @param {Style} style */
function naive({ naive }, { paint, width }) {
  const requests =
    naive.bytes_per_token > 0
      ? `${whole(naive.max_requests)} requests at ${size(naive.bytes_per_token)} a token`
      : 'and no token takes any memory';
  const answer = naive.fits ? `it fits, ${requests}.` : 'it does not fit.';
  return [
    `${paint.bold('The usual formula says')}: ${answer}`,
    ...wrap(clean(naive.why), { width, indent: '  ', first: '  ' }),
  ];
}

/** @param {Report} report @param {Asked} asked */
function speed({ speed, capacity, verdict, model }, { workload }) {
  // The speed of what does not start is a number about nothing.
  if (!verdict.serves) return [];
  if (!speed) return ['', 'Speed: not known for this card.'];
  const prompt = whole(workload.prompt ?? capacity.context);
  // An encoder reads its input once and writes no tokens.
  if (model.attention === 'encoder') {
    return ['', ...columns([[`one pass over ${prompt} tokens`, estimate(speed.ttft_s, duration)]])];
  }
  const requests = workload.concurrency ?? 1;
  const together = requests === 1 ? '1 request' : `${whole(requests)} requests that decode`;
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
