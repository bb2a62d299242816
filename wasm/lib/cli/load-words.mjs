import { duration, short, whole } from './format.mjs';

/** @import { Arrivals, Lengths, Load, Slo, WorkloadRequest } from '../../ridgepoint.d.ts' */

const GOALS = /** @type {const} */ ([
  ['ttft_s', (/** @type {string} */ time) => `the first token within ${time}`],
  ['tpot_s', (/** @type {string} */ time) => `a token every ${time}`],
  ['itl_s', (/** @type {string} */ time) => `no gap over ${time}`],
  ['e2e_s', (/** @type {string} */ time) => `all of it within ${time}`],
]);

/** What a request is to keep to, in words. @param {Slo} slo */
export function sloText(slo) {
  const goals = GOALS.flatMap(([name, write]) => {
    const time = slo[name];
    return time === undefined ? [] : [write(duration(time))];
  });
  return goals.join(', ');
}

/** A share of the requests, with no more digits than it needs. @param {number} value */
export const percent = (value) => `${Number((100 * value).toFixed(2))} %`;

/** @param {Slo} slo */
export const aimedShare = ({ percentile = 0.99 }) => percent(percentile);

/** The load in words. @param {Load} load @param {WorkloadRequest} workload */
export function loadText(load, workload) {
  const { prefix = {}, lengths } = load;
  const parts = [arrivalsText(load.arrivals), lengthsText(lengths, workload)];
  if (prefix.shared_tokens) parts.push(`the first ${whole(prefix.shared_tokens)} shared`);
  if (prefix.session_share) parts.push(`${percent(prefix.session_share)} of its session`);
  return parts.filter(Boolean).join(', ');
}

/** @param {number} rate */
const rateText = (rate) => `${short(rate)} ${rate === 1 ? 'request' : 'requests'} a second`;

/** @param {Arrivals} arrivals */
function arrivalsText(arrivals) {
  switch (arrivals.kind) {
    case 'poisson':
      return rateText(arrivals.rate);
    case 'gamma':
      return `${rateText(arrivals.rate)} of burstiness ${short(arrivals.burstiness)}`;
    case 'bursty':
      return `${rateText(arrivals.rate)} in bursts`;
    case 'closed':
      return `${whole(arrivals.concurrency)} ${arrivals.concurrency === 1 ? 'request' : 'requests'} at once`;
    case 'at_once':
      return 'all requests at the start';
    case 'trace':
      return 'the requests of the trace';
  }
}

/** @param {number} count */
const tokens = (count) => (count === 1 ? 'token' : 'tokens');

/** @param {Lengths | undefined} lengths @param {WorkloadRequest} workload */
function lengthsText(lengths, { prompt, output }) {
  if (lengths?.kind === 'preset') return `lengths of ${lengths.name.replaceAll('_', ' ')}`;
  if (lengths?.kind === 'uniform') {
    const [input, answer] = [lengths.input, lengths.output].map((ends) =>
      [...new Set(ends)].map(whole).join(' to '),
    );
    return `${input} ${tokens(lengths.input[1])} in, ${answer} out`;
  }
  if (typeof prompt !== 'number' || typeof output !== 'number') return '';
  return `${whole(prompt)} ${tokens(prompt)} in, ${whole(output)} out`;
}
