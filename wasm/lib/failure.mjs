import { reason } from './request.mjs';

/**
 * What a core that stopped answers from then on. The core answers errors as values, so whatever
 * else arrives is a defect of it.
 *
 * @param {unknown} cause
 * @returns {string}
 */
export function failureText(cause) {
  return JSON.stringify({
    error: {
      code: 'internal',
      message: `The calculation stopped (${reason(cause)}). This is a defect: please report it with the request, and load the module again.`,
      path: '',
    },
  });
}
