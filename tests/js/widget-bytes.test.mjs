import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bytesOf, rarestOf, textOf } from '../../web/src/widget/bytes.ts';

// The core as the text of a script.

/** Every byte there is, some of them often. */
const bytes = Uint8Array.from({ length: 5000 }, (_, at) => (at % 3 === 0 ? 0 : (at * at) % 256));
const module = readFileSync(new URL('../../wasm/dist/answer-all.wasm', import.meta.url));

describe.each([
  ['bytes of every value', bytes],
  ['the module', module],
  ['nothing', new Uint8Array()],
])('%s', (_, all) => {
  const rare = rarestOf(all);
  const text = textOf(all, rare);

  it('come back as they were', () => {
    expect(Buffer.from(bytesOf(text, rare)).equals(Buffer.from(all))).toBe(true);
  });

  it('are text that stands between quotes in a script, and in a page', () => {
    expect(text).not.toMatch(/[\0\n\r'<\\\u2028\u2029\ud800-\udfff]/);
    expect(new Function(`return '${text}'`)()).toBe(text);
    expect(Buffer.from(text).toString()).toBe(text);
  });
});
