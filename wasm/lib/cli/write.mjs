import { once } from 'node:events';

/**
 * Write, and wait while the reader is slower than we are.
 *
 * @param {import('node:stream').Writable} stream
 * @param {string} text
 */
export async function print(stream, text) {
  if (!stream.write(text)) await once(stream, 'drain');
}
