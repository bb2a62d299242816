/**
 * @typedef {Record<'bold' | 'dim' | 'good' | 'bad' | 'warn', (text: string) => string>} Paint
 */

const CODES = { bold: '1', dim: '2', good: '1;32', bad: '1;31', warn: '33' };

/**
 * Colours only where a person looks at a terminal and has not switched them off (no-color.org).
 *
 * @param {{ isTTY?: boolean }} stream
 * @param {Record<string, string | undefined>} env
 * @returns {Paint}
 */
export function paint(stream, env) {
  const on = stream.isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb';
  return /** @type {Paint} */ (
    Object.fromEntries(
      Object.entries(CODES).map(([name, code]) => [
        name,
        (/** @type {string} */ text) => (on ? `\u001b[${code}m${text}\u001b[0m` : text),
      ]),
    )
  );
}
