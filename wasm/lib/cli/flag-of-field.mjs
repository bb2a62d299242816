// Errors of the core name the field of a query; who typed a command knows the flag that stands for it.

/** Fields by the flag that says them. @type {[RegExp, string][]} */
const FLAGS = [
  [/^(request\.)?gpu\.(id|count)$/, '--gpu'],
  [/^(request\.)?gpu\.total_bytes$/, '--gpu-total'],
  [/^(request\.)?gpu\.free_bytes$/, '--gpu-free'],
  [/^(request\.)?engine\.(name|version)$/, '--engine'],
  [/^engines\[\d+\](\.(name|version))?$/, '--engine'],
  [/^(request\.)?workload\.context$/, '--ctx'],
  [/^(request\.)?workload\.prompt$/, '--prompt'],
  [/^(request\.)?workload\.output$/, '--output'],
  [/^(request\.)?workload\.concurrency$/, '--concurrency'],
  [/^workload\.ttft_s$/, '--ttft'],
  [/^workload\.tpot_s$/, '--tpot'],
  [/^load\.arrivals\.text$/, '--trace'],
  [/^load\.arrivals\.time_unit$/, '--trace-unit'],
  [/^load\.arrivals\.speed_up$/, '--speed-up'],
  [/^load\.arrivals\.rate$/, '--rate'],
  [/^load\.arrivals\.burstiness$/, '--burstiness'],
  [/^load\.arrivals\.concurrency$/, '--concurrency'],
  [/^load\.lengths\.name$/, '--load'],
  [/^load\.lengths\.input$/, '--input'],
  [/^load\.lengths\.output$/, '--output'],
  [/^load\.lengths$/, '--load (or --input and --output)'],
  [/^load\.requests$/, '--requests'],
  [/^load\.seed$/, '--seed'],
  [/^load\.warmup$/, '--warmup'],
  [/^load\.prefix\.shared_tokens$/, '--shared-prompt'],
  [/^load\.prefix\.session_share$/, '--session-share'],
  [/^slo$/, '--slo'],
  [/^slo\.ttft_s$/, '--slo ttft'],
  [/^slo\.tpot_s$/, '--slo tpot'],
  [/^slo\.itl_s$/, '--slo itl'],
  [/^slo\.e2e_s$/, '--slo e2e'],
  [/^slo\.percentile$/, '--slo p'],
  [/^over$/, '--find'],
  [/^seeds$/, '--seeds'],
  [/^max$/, '--max'],
  [/^prices(\.|$)/, '--price'],
  [/^rank_by$/, '--rank'],
  [/^limit$/, '--limit'],
  [/^table$/, '--table'],
  [/^constraints\.gpus/, '--gpus'],
  [/^constraints\.vendors/, '--vendors'],
  [/^constraints\.min_card_bytes$/, '--min-card'],
  [/^constraints\.max_card_bytes$/, '--max-card'],
  [/^constraints\.max_count$/, '--max-gpus'],
  [/^constraints\.counts/, '--gpu-counts'],
  [/^constraints\.weight_formats/, '--weights'],
  [/^constraints\.kv_formats/, '--kv'],
  [/^constraints\.budget_per_hour$/, '--budget'],
];

const NO_LENGTHS =
  'say how long prompts and answers are: --load chat, or --input 1000 and --output 200';

/** Fields that a sentence of the core may speak of; the name alone is a word like any other. */
const IN_TEXT = /\b(?:load|workload|slo|constraints)(?:\.[a-z_]+)+/g;

/** The flag that stands for a field, or the field where none does. @param {string} path */
export const flagOfField = (path) => FLAGS.find(([field]) => field.test(path))?.[1] ?? path;

/**
 * What is wrong, as who typed the command calls it.
 *
 * @param {{ code?: string, message: string, path?: string }} error
 */
export function toldByFlags({ code, message, path = '' }) {
  if (code === 'missing_field' && path === 'load.lengths') return NO_LENGTHS;
  const [told, flag] = [message.replace(IN_TEXT, flagOfField), flagOfField(path)];
  const last = path.split('.').pop() ?? '';
  // A sentence that begins with the field's own name names it.
  const named = last !== '' && flag !== path && told.startsWith(`${last} `);
  if (named && /^--[a-z-]+( [a-z0-9]+)?$/.test(flag)) return `${flag}${told.slice(last.length)}`;
  return path === '' || (flag !== path && told.includes(flag)) ? told : `${told} (${flag})`;
}
