import { Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { Ridgepoint } from 'ridgepoint';
import { describe, expect, it } from 'vitest';
import { lines } from '../../wasm/lib/cli/lines.mjs';
import { main } from '../../wasm/lib/cli/main.mjs';
import { fakeModule, fakeReport } from './support/fake-core.mjs';
import { runInside } from './support/run.mjs';

const serves = (id) => fakeReport({ id });
const fails = (id) =>
  fakeReport({ id, verdict: { ...fakeReport().verdict, serves: false, limit: 'weights' } });
const refuses = (id) => ({ error: { code: 'bad', message: id, path: '' } });
const module = () =>
  fakeModule(({ id }) => ({ ok: serves, no: fails, bad: refuses })[id.split('-')[0]](id));
const batch = (input) => runInside(['batch'], { module: module(), input });
const line = (id) => `${JSON.stringify({ id })}\n`;

describe('batch', () => {
  it.each([
    ['nothing', '', 0],
    ['all serve', line('ok-1') + line('ok-2'), 0],
    ['one does not', line('ok-1') + line('no-2') + line('ok-3'), 1],
    ['one is an error', line('no-1') + line('bad-2') + line('ok-3'), 2],
    ['one is not JSON', `${line('ok-1')}{broken\n${line('no-2')}`, 2],
  ])('ends with the worst status: %s', async (_what, input, status) => {
    expect((await batch(input)).status).toBe(status);
  });

  it('keeps the order, goes on after a bad line and skips blank ones', async () => {
    const input = `${line('ok-1')}\n{broken\n  \r\n${line('no-2')}${line('bad-3')}{"id":"ok-4"}`;
    const { stdout } = await batch(input);
    const answers = stdout.trimEnd().split('\n').map(JSON.parse);
    expect(answers.map((answer) => answer.id ?? answer.error.code)).toEqual([
      'ok-1',
      'bad_json',
      'no-2',
      'bad',
      'ok-4',
    ]);
  });

  it('waits for a slow reader in place of holding the answers', async () => {
    let read = 0;
    let written = 0;
    let furthest = 0;
    function* requests() {
      for (let n = 0; n < 300; n += 1) {
        read += 1;
        yield line(`ok-${n}`);
      }
    }
    const stdout = new Writable({
      highWaterMark: 1024,
      async write(_chunk, _encoding, done) {
        if (written % 50 === 0) await wait(5);
        written += 1;
        furthest = Math.max(furthest, read - written);
        done();
      },
    });
    const { Readable } = await import('node:stream');
    const status = await main(['batch'], {
      stdin: Readable.from(requests(), { highWaterMark: 1 }),
      stdout,
      load: async () => new Ridgepoint(module()),
    });
    expect(status).toBe(0);
    expect(written).toBe(300);
    expect(furthest).toBeLessThan(10);
  });
});

describe('lines', () => {
  const read = async (chunks, limit) => {
    const found = [];
    for await (const each of lines(chunks, limit)) found.push(each);
    return found;
  };

  it('joins what the chunks cut, characters too', async () => {
    const bytes = Buffer.from('{"a":"é"}\r\nzwei\n\ndrei');
    for (const size of [1, 2, 3, 7, 100]) {
      const chunks = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(await read(chunks)).toEqual(['{"a":"é"}\r', 'zwei', '', 'drei']);
    }
  });

  it('gives up a line that is too long and goes on with the next', async () => {
    expect(await read(['short\nlo', 'ooooooong', 'er\nnext\nlonglong'], 6)).toEqual([
      'short',
      null,
      'next',
      null,
    ]);
  });

  it('drops a byte order mark', async () => {
    expect(await read([Buffer.from('\uFEFF{}\n')])).toEqual(['{}']);
  });
});
