import { UsageError } from './usage-error.mjs';

/**
 * The words of a command line as a POSIX shell splits them: quotes, backslashes and line ends that
 * a backslash continues. Nothing is expanded.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function shellWords(text) {
  /** @type {string[]} */
  const words = [];
  /** @type {string | undefined} */
  let word;
  let quote = '';
  for (let at = 0; at < text.length; at += 1) {
    const c = text[at];
    if (quote === "'") {
      if (c === quote) quote = '';
      else word += c;
    } else if (c === '\\' && (quote === '' || '\\"$`\n'.includes(text[at + 1] ?? ' '))) {
      at += 1;
      if (text[at] !== '\n') word = (word ?? '') + (text[at] ?? '');
    } else if (quote === '"') {
      if (c === quote) quote = '';
      else word += c;
    } else if (c === '"' || c === "'") {
      quote = c;
      word ??= '';
    } else if (/\s/.test(c)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else {
      word = (word ?? '') + c;
    }
  }
  if (quote) throw new UsageError(`a ${quote} is not closed in: ${text.slice(0, 80)}`);
  if (word !== undefined) words.push(word);
  return words;
}
