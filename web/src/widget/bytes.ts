// Bytes as the text of a script: one letter for each, most of them U+0000 to U+00FF. Brotli then
// still sees the bytes, which it packs a sixth smaller than base64 of what gzip makes of them.

/** What a script's text between single quotes cannot hold, or a page around it takes for its own. */
const UNFIT = [0x00, 0x0a, 0x0d, 0x27, 0x3c, 0x5c];

/** The rarest bytes give their letters, which are one byte of UTF-8, to those that cannot have one. */
export function rarestOf(bytes: Uint8Array): number[] {
  const counts = new Array<number>(0x80).fill(0);
  for (const byte of bytes) if (byte < 0x80) counts[byte] = (counts[byte] ?? 0) + 1;
  const fit = [...counts.keys()].filter((byte) => !UNFIT.includes(byte));
  return fit.sort((a, b) => (counts[a] ?? 0) - (counts[b] ?? 0)).slice(0, UNFIT.length);
}

export function textOf(bytes: Uint8Array, rare: number[]): string {
  const letters = [...Array(0x100).keys()];
  rare.forEach((byte, at) => {
    letters[UNFIT[at] ?? 0] = byte;
    letters[byte] = byte + 0x100;
  });
  let text = '';
  for (const byte of bytes) text += String.fromCharCode(letters[byte] ?? 0);
  return text;
}

export function bytesOf(text: string, rare: number[]): Uint8Array<ArrayBuffer> {
  // Numbers from 0x100 on lose their ninth bit in an array of bytes.
  const values = Uint8Array.from(Array(0x200).keys());
  rare.forEach((byte, at) => {
    values[byte] = UNFIT[at] ?? 0;
  });
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at += 1) bytes[at] = values[text.charCodeAt(at)] ?? 0;
  return bytes;
}
