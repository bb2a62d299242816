/**
 * The lines of a byte stream, one at a time. A line longer than `maxLength` characters comes as
 * `null` and is not kept, so that a stream without line ends cannot fill the memory.
 *
 * @param {AsyncIterable<string | Uint8Array>} stream
 * @param {number} [maxLength]
 * @returns {AsyncGenerator<string | null>}
 */
export async function* lines(stream, maxLength = 64_000_000) {
  const decoder = new TextDecoder();
  let rest = '';
  let skipping = false;
  for await (const chunk of stream) {
    const text = typeof chunk === 'string' ? chunk : decoder.decode(chunk, { stream: true });
    let start = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
      const line = rest + text.slice(start, end);
      yield skipping || line.length > maxLength ? null : line;
      rest = '';
      skipping = false;
      start = end + 1;
    }
    rest += text.slice(start);
    if (rest.length > maxLength) {
      rest = '';
      skipping = true;
    }
  }
  rest += decoder.decode();
  if (skipping) yield null;
  else if (rest !== '') yield rest;
}
