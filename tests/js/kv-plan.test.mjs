import { describe, expect, it } from 'vitest';
import { runProgram } from './support/run.mjs';

/** 32 layers of 8 heads x 128 values in 16 bits: 65,536 bytes a block of 16 tokens and layer. */
const LLAMA = {
  id: 'llama',
  L: 131072,
  R: 8192,
  workers: [
    { mem: 50 * 2 ** 30, first: 0, layers: [{ n: 32, t: 'full', B: 16, kv: 8, hd: 128, dt: 2 }] },
  ],
};

const lines = (...requests) => `${requests.map((each) => JSON.stringify(each)).join('\n')}\n`;

describe('kv-plan', () => {
  it('answers a line of layer specs with blocks, groups, tokens and concurrency', async () => {
    const { status, stdout } = await runProgram(['kv-plan'], { input: lines(LLAMA) });
    expect(status).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      id: 'llama',
      out: [
        {
          num_blocks: 25600,
          kv_bytes_allocated: 53687091200,
          bytes_per_block: 2097152,
          groups: [{ n: 32, type: 'FullAttentionSpec', B: 16, page: 65536 }],
          concurrency: 3.125,
          tokens: 409600,
        },
      ],
      max_model_len: 131072,
    });
  });

  it('tells a refusal of the engine from a line that is wrong', async () => {
    const short = structuredClone(LLAMA);
    short.workers[0].mem = 4 * 2 ** 30;
    const refused = await runProgram(['kv-plan', '-'], { input: lines(LLAMA, short) });
    expect(refused.status).toBe(1);
    const answer = JSON.parse(refused.stdout.trim().split('\n')[1]);
    expect(answer.error).toBe('ValueError');
    expect(answer.msg).toContain('the estimated maximum model length is 32768');
    const wrong = await runProgram(['kv-plan'], { input: lines({ L: 16 }, LLAMA) });
    expect(wrong.status).toBe(2);
    expect(JSON.parse(wrong.stdout.split('\n')[0]).error.path).toBe('workers');
  });
});
