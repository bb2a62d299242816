import { requestText } from '../request.mjs';

/**
 * @import { Question, Ridgepoint } from '../core.mjs'
 */

/**
 * The answer to a question as the text that the core gave, to be printed as it is.
 *
 * @param {Ridgepoint} core
 * @param {Question} question
 * @param {object} query
 */
export function questionText(core, question, query) {
  const written = requestText(query);
  return 'error' in written ? JSON.stringify(written) : core.askText(question, written.text);
}
