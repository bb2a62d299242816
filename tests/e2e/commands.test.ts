import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import {
  ask,
  type CommandForm,
  type CommandTextAnswer,
  type ExplainAnswer,
  evaluate,
  explain,
  exportAnswer,
  type Report,
  type Request,
  readCommand,
  readLog,
} from 'ridgepoint';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { violations } from './axe';
import { answered, figure, launch, opened, pasteInto, site, WAIT } from './browser';

// Commands out and in, logs, and the math behind the answer.
import { swept } from './sweep';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const fixture = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../fixtures/commands/${name}`, import.meta.url)), 'utf8');

const exampleRequest: Request = {
  model: { id: 'meta-llama/Meta-Llama-3-8B' },
  gpu: { id: 'a100-sxm-80gb', count: 1 },
  engine: { name: 'vllm', version: '0.28.0' },
  workload: { context: 8192, prompt: 2048, output: 256, concurrency: 16 },
};

/** A start in the wording of vLLM 0.19.0 that took more for weights than they take. */
const log = `(APIServer pid=1) INFO 04-22 10:00:00 [utils.py:299] vLLM API server version 0.19.0
(APIServer pid=1) INFO 04-22 10:00:00 [utils.py:233] non-default args: {'model': 'meta-llama/Meta-Llama-3-8B', 'max_model_len': 8192, 'gpu_memory_utilization': 0.9}
(EngineCore pid=9) INFO 04-22 10:00:30 [gpu_model_runner.py:4820] Model loading took 20.5 GiB memory and 4.1 seconds
(EngineCore pid=9) INFO 04-22 10:00:50 [gpu_worker.py:423] Available KV cache memory: 49.0 GiB
(EngineCore pid=9) INFO 04-22 10:00:50 [kv_cache_utils.py:1316] GPU KV cache size: 401,408 tokens
(EngineCore pid=9) INFO 04-22 10:00:50 [kv_cache_utils.py:1321] Maximum concurrency for 8,192 tokens per request: 49.00x
(EngineCore pid=9) INFO 04-22 10:01:05 [gpu_model_runner.py:5900] Graph capturing finished in 15 secs, took 0.6 GiB
(APIServer pid=1) INFO:     Application startup complete.
`;
const logCard = { id: 'a100-sxm-80gb' };

let browser: Browser;
let home: Awaited<ReturnType<typeof site>>;
let page: Page;
let asked: string[];
let faults: string[];

beforeAll(async () => {
  [browser, home] = await Promise.all([launch(), site()]);
});
afterAll(async () => {
  await browser.close();
  await home.stop();
});

async function fresh(settings: Parameters<Browser['newPage']>[0] = {}) {
  page = await browser.newPage({ reducedMotion: 'reduce', ...settings });
  asked = [];
  faults = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('pageerror', (error) => faults.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
}

beforeEach(() => fresh());
afterEach(async () => {
  expect(faults).toEqual([]);
  expect(asked.filter((url) => !url.startsWith(home.url) && !url.startsWith('blob:'))).toEqual([]);
  await page.context().close();
});

async function openRoom(hash = '') {
  await opened(page, home.url + hash);
  await page.locator('#room-commands').click();
  await page.locator('#commands-log').waitFor(WAIT);
}

async function openMath() {
  // On a phone the button is part of what is folded away.
  await page.locator('#show-math').evaluate((button: HTMLElement) => button.click());
  await page.locator('.math-step').first().waitFor(WAIT);
}

/** The pool as the verdict shows it, in GiB. */
const pool = async () => Number(await figure(page, 'pool'));
const gib = (bytes: number) => Number((bytes / 2 ** 30).toFixed(2));

const copied = (page: Page) =>
  page.evaluate(() => (window as unknown as { copied: string }).copied);

/** Keeps what is copied where the test can see it. */
const watchClipboard = () =>
  page.addInitScript(() => {
    Object.defineProperty(navigator, 'clipboard', {
      value: {
        writeText: async (text: string) => {
          (window as unknown as { copied: string }).copied = text;
        },
      },
    });
  });

describe('commands out', () => {
  const forms: CommandForm[] = ['shell', 'docker', 'compose', 'kubernetes'];

  test('are what the core writes, in each form, and can be copied and downloaded', async () => {
    await watchClipboard();
    await openRoom();
    for (const form of forms) {
      const written = (await ask('writeCommand', {
        request: exampleRequest,
        form,
      })) as CommandTextAnswer;
      await page.locator(`#commands-form-${form}`).check();
      const shown = page.locator('#commands-text');
      await expect.poll(() => shown.textContent(), WAIT).toBe(written.text);
      await page.locator('#commands-copy').click();
      await expect.poll(() => copied(page), WAIT).toBe(written.text);
      const [file] = await Promise.all([
        page.waitForEvent('download'),
        page.locator('#commands-download').click(),
      ]);
      expect(readFileSync(await file.path(), 'utf8')).toBe(written.text);
      const room = await page.locator('.commands-room').innerText();
      for (const { why } of written.flags) expect(room).toContain(why);
      expect(written.checked).toBe(true);
      expect(room).toContain('gave the same report');
    }
  });

  test('the form is chosen with the arrow keys', async () => {
    await openRoom();
    await page.locator('#commands-form-shell').focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await expect
      .poll(() => page.locator('#commands-text').textContent(), WAIT)
      .toContain('services:');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('commands-form-compose');
  });

  test('follow the inputs, and name what has no id', async () => {
    await openRoom();
    await page.fill('#context', '4096');
    await expect
      .poll(() => page.locator('#commands-text').textContent(), WAIT)
      .toContain('--max-model-len 4096');
    const config = readFileSync(
      fileURLToPath(new URL('../fixtures/configs/Qwen--Qwen3-8B.json', import.meta.url)),
      'utf8',
    );
    await pasteInto(page, '#model', config);
    await expect
      .poll(() => page.locator('.commands-room').innerText(), WAIT)
      .toContain('put its id or folder in the place of ./model');
  });

  test('hold the line for ridgepoint’s own command', async () => {
    await openRoom();
    await page.locator('.commands-own summary').click();
    expect(await page.locator('#commands-own-line').innerText()).toBe(
      'ridgepoint fit meta-llama/Meta-Llama-3-8B --gpu a100-sxm-80gb:1 --engine vllm@0.28.0 --ctx 8192 --prompt 2048 --output 256 --concurrency 16',
    );
  });
});

describe('commands in', () => {
  const line =
    'vllm serve meta-llama/Meta-Llama-3-8B --max-model-len 4096 -tp 2 --kv-cache-dtype fp8';

  test('a line pasted into the model box sets the page up', async () => {
    await opened(page, home.url);
    await pasteInto(page, '#model', line);
    await expect.poll(() => page.locator('.got').innerText(), WAIT).toContain('vLLM command');
    expect(await page.inputValue('#count')).toBe('2');
    expect(page.url()).not.toContain('undefined');
  });

  test('a line in the room is told flag by flag, and taken over when asked', async () => {
    await openRoom();
    const text = `${line} --foo 3 --port 8000`;
    await page.fill('#commands-in', text);
    const { flags } = await readCommand({ text, gpu: exampleRequest.gpu });
    await expect.poll(() => page.locator('#commands-flags li').count(), WAIT).toBe(flags.length);
    const uses = await page
      .locator('#commands-flags li')
      .evaluateAll((all) => all.map((one) => one.getAttribute('data-use')));
    expect(uses).toEqual(flags.map(({ use }) => use));
    expect(uses).toContain('unknown');
    // Nothing is changed before the reader says so.
    expect(await page.inputValue('#count')).toBe('1');
    await page.locator('#commands-use').click();
    await expect.poll(() => page.inputValue('#count'), WAIT).toBe('2');
    await page.locator('#undo').click();
    await expect.poll(() => page.inputValue('#count'), WAIT).toBe('1');
  });

  test.each(['vllm', 'sglang', 'trtllm', 'llamacpp'])(
    'every form of %s is read',
    async (engine) => {
      await openRoom();
      for (const form of ['shell', 'docker', 'compose', 'kubernetes']) {
        const text = fixture(`${engine}.${form}.txt`);
        await page.fill('#commands-in', text);
        const { flags, request } = await readCommand({ text });
        await expect
          .poll(() => page.locator('#commands-flags li').count(), WAIT)
          .toBe(flags.length);
        await expect
          .poll(() => page.locator('#commands-read-as').innerText(), WAIT)
          .toContain(request.model.id ?? 'no model');
      }
    },
  );

  test('variables are told too, and a token is hidden', async () => {
    await openRoom();
    await page.fill(
      '#commands-in',
      'docker run -e HF_TOKEN=hf_secret -e VLLM_USE_V1=1 vllm/vllm-openai:v0.28.0 --model Qwen/Qwen3-8B',
    );
    await expect.poll(() => page.locator('#commands-env li').count(), WAIT).toBe(2);
    expect(await page.locator('#commands-env').innerText()).not.toContain('hf_secret');
  });

  test('what is no command is told in a sentence; a log can be moved to its box', async () => {
    await openRoom();
    await page.fill('#commands-in', 'hello');
    await expect
      .poll(() => page.locator('.commands-room .banner').innerText(), WAIT)
      .toContain('No command');
    await page.fill('#commands-in', log);
    await page.getByRole('button', { name: 'read it as one' }).click();
    await expect.poll(() => page.locator('#commands-outcome').innerText(), WAIT).toBe('It started');
    expect(await page.inputValue('#commands-in')).toBe('');
  });
});

describe('a log', () => {
  test('is set against the estimate as the core does it', async () => {
    await openRoom();
    await page.fill('#commands-log', log);
    const { comparison, causes } = await readLog(log, { request: { gpu: logCard } });
    const rows = page.locator('.commands-compared tbody tr[data-term]');
    await expect.poll(() => rows.count(), WAIT).toBe(comparison.length);
    expect(
      await rows.evaluateAll((all) =>
        all.map((one) => [one.getAttribute('data-term'), one.getAttribute('data-inside')]),
      ),
    ).toEqual(comparison.map(({ term, inside }) => [term, inside ? 'yes' : 'no']));
    expect(comparison.some(({ inside }) => !inside)).toBe(true);
    const room = await page.locator('.commands-room').innerText();
    for (const cause of causes) expect(room).toContain(cause);
    expect(room).toContain('nothing is uploaded');
  });

  test('gives its measured terms, which the verdict uses until they are taken out', async () => {
    await openRoom();
    await page.fill('#commands-log', log);
    const { calibrated, request } = await readLog(log, { request: { gpu: logCard } });
    await page.locator('#commands-calibrate').click();
    const measured = (await evaluate(calibrated as Request)) as Report;
    const estimated = (await evaluate(request as Request)) as Report;
    const [with_, without] = [measured, estimated].map((one) =>
      gib(one.memory.per_gpu.kv_pool.best),
    ) as [number, number];
    expect(Math.abs(with_ - without)).toBeGreaterThan(1);
    await expect.poll(pool, WAIT).toBe(with_);
    await page.locator('#measured button').click();
    await expect.poll(pool, WAIT).toBe(without);
  });

  test('sets the page up without its terms, and is copied as a row', async () => {
    await watchClipboard();
    await openRoom();
    await page.fill('#commands-log', log);
    await page.locator('#commands-row').click();
    const { row } = await readLog(log, { request: { gpu: logCard } });
    await expect.poll(() => copied(page), WAIT).toBe(JSON.stringify(row));
    await page.locator('#commands-as-log').click();
    await expect.poll(() => page.inputValue('#version'), WAIT).toBe('0.19.0');
    expect(await page.locator('#measured').count()).toBe(0);
  });

  test('of a model that is not built in is set against the one on the page when asked', async () => {
    await openRoom();
    await page.fill('#commands-log', log.replace('meta-llama/Meta-Llama-3-8B', 'my/fine-tune'));
    await page.locator('#commands-of-model').waitFor(WAIT);
    expect(await page.locator('.commands-compared').count()).toBe(0);
    await page.locator('#commands-of-model').check();
    await page.locator('.commands-compared').waitFor(WAIT);
  });

  test('of two cards is read although the page has one', async () => {
    await openRoom();
    const two = log.replace("'max_model_len'", "'tensor_parallel_size': 2, 'max_model_len'");
    await page.fill('#commands-log', two);
    await page.locator('#commands-as-log').click();
    await expect.poll(() => page.inputValue('#count'), WAIT).toBe('2');
  });

  test('of many lines, or no log at all, leaves a sentence and a page that works', async () => {
    await openRoom();
    await pasteInto(page, '#commands-log', 'nothing of interest\n'.repeat(100_000));
    await expect
      .poll(() => page.locator('#commands-log').innerText(), WAIT)
      .toContain('100,000 lines');
    await expect
      .poll(() => page.locator('.commands-room .banner').innerText(), WAIT)
      .toContain('No line of this text');
    await page.locator('#commands-log button').click();
    const bytes = Buffer.alloc(3_000_000);
    for (let at = 0; at < bytes.length; at += 1) bytes[at] = (at * 7919) % 251;
    const chooser = page.locator('.commands-box input[type=file]').last();
    await chooser.setInputFiles({ name: 'x.log', mimeType: 'text/plain', buffer: bytes });
    await expect
      .poll(() => page.locator('.commands-room .banner').innerText(), WAIT)
      .toContain('No line of this text');
    const long = `${'DEBUG nothing\n'.repeat(200_000)}${log}`;
    await chooser.setInputFiles({
      name: 'y.log',
      mimeType: 'text/plain',
      buffer: Buffer.from(long),
    });
    await expect.poll(() => page.locator('#commands-outcome').innerText(), WAIT).toBe('It started');
    await pasteInto(page, '#commands-in', 'x\n'.repeat(100_000));
    await expect
      .poll(() => page.locator('.commands-room .banner').innerText(), WAIT)
      .toContain('No command');
    await page.fill('#context', '4096');
    await answered(page);
  });

  test('dropped on its box is read there and not into the inputs', async () => {
    await openRoom();
    const data = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], 'server.log'));
      return transfer;
    }, log);
    for (const type of ['dragover', 'drop']) {
      await page.dispatchEvent('#commands-log', type, { dataTransfer: data });
    }
    await expect.poll(() => page.locator('#commands-outcome').innerText(), WAIT).toBe('It started');
    expect(await page.inputValue('#version')).toBe('0.28.0');
    expect(await page.locator('[data-dragging]').count()).toBe(0);
  });

  test('what was pasted is still there after a look at another view', async () => {
    await openRoom();
    await page.fill('#commands-log', log);
    await page.locator('#commands-outcome').waitFor(WAIT);
    await page.locator('#room-answer').click();
    await page.locator('#room-commands').click();
    expect(await page.inputValue('#commands-log')).toBe(log);
    expect(await page.locator('#commands-outcome').count()).toBe(1);
  });
});

describe('the math', () => {
  test('has the steps of the core in their order, each with its numbers and its source', async () => {
    await opened(page, home.url);
    await openMath();
    const { steps, assumptions } = (await explain(exampleRequest)) as ExplainAnswer;
    const shown = await page
      .locator('.math-step')
      .evaluateAll((all) =>
        all.map((one) => [
          one.getAttribute('data-term'),
          one.querySelector('.math-number')?.textContent,
          one.textContent?.replace(/\s+/g, ' '),
        ]),
      );
    expect(shown.map(([term, number]) => [term, Number(number)])).toEqual(
      steps.map(({ term, number }) => [term, number]),
    );
    steps.forEach(({ formula, with_numbers, rule, source }, at) => {
      for (const text of [formula, with_numbers, rule, source])
        expect(shown[at]?.[2]).toContain(text);
    });
    const drawer = await page.locator('.math-room').innerText();
    for (const one of assumptions) expect(drawer).toContain(one);
    const links = await page
      .locator('.math-step a')
      .evaluateAll((all) => all.map((one) => (one as HTMLAnchorElement).href));
    expect(links).toContain(
      'https://github.com/vllm-project/vllm/blob/v0.28.0/vllm/v1/worker/gpu_worker.py',
    );
    const ids = await page.locator('[id]').evaluateAll((all) => all.map(({ id }) => id));
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
  });

  test('opens and closes by keyboard, and the focus returns', async () => {
    await opened(page, home.url);
    await page.locator('#show-math').focus();
    await page.keyboard.press('Enter');
    await page.locator('.math-step').first().waitFor(WAIT);
    const inside = () => page.evaluate(() => document.activeElement?.closest('dialog') !== null);
    expect(await inside()).toBe(true);
    await page.getByRole('button', { name: 'How much fits' }).focus();
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('math-group-capacity');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.locator('dialog[open]').count(), WAIT).toBe(0);
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('show-math');
  });

  test('is copied as the core exports it', async () => {
    await watchClipboard();
    await opened(page, home.url);
    await openMath();
    const answer = (await explain(exampleRequest)) as ExplainAnswer;
    for (const format of ['markdown', 'csv'] as const) {
      await page.locator(`#math-${format}`).click();
      const text = await exportAnswer({ answer, format });
      await expect.poll(() => copied(page), WAIT).toBe(text);
    }
    expect(await page.locator('dialog .notice').innerText()).toContain('Copied');
  });
});

const looks = [
  { name: '360 px, dark', width: 360, height: 780, colorScheme: 'dark' },
  { name: '1280 px, light', width: 1280, height: 900, colorScheme: 'light' },
] as const;

const spoken = looks.flatMap((look) =>
  ['en-US', 'ru-RU', 'zh-CN'].map((locale) => ({ ...look, locale })),
);

describe('no view has accessibility faults or is too wide', () => {
  test.each(swept(spoken, 6, 1))(
    '$name, $locale',
    async ({ width, height, colorScheme, locale }) => {
      await page.context().close();
      await fresh({ viewport: { width, height }, colorScheme, locale });
      // Nothing is cut off or spills out of its part of the page, longer words of a language too.
      const beyond = () =>
        page.locator('.commands-room section').evaluateAll((all) =>
          all.flatMap((one) => {
            const { right } = one.getBoundingClientRect();
            return [...one.querySelectorAll('td, th, p, li, button, label')]
              .filter((part) => part.getBoundingClientRect().right > right + 1)
              .map((part) => part.textContent);
          }),
        );
      const over = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      await openRoom();
      await page.locator('#commands-text').waitFor(WAIT);
      expect(await violations(page)).toEqual([]);
      await page.fill(
        '#commands-in',
        'vllm serve Qwen/Qwen3-8B --foo --port 1 --max-model-len 4096',
      );
      await page.fill('#commands-log', log);
      await page.locator('#commands-outcome').waitFor(WAIT);
      await page.locator('#commands-flags').waitFor(WAIT);
      await page.locator('.commands-own summary').click();
      expect(await violations(page)).toEqual([]);
      expect(await beyond()).toEqual([]);
      expect(await over()).toBeLessThanOrEqual(0);
      await page.evaluate(() => {
        document.documentElement.dataset.theme = 'contrast';
      });
      expect(await violations(page)).toEqual([]);
      await page.fill('#commands-in', 'x');
      await page.fill('#commands-log', 'x');
      await expect.poll(() => page.locator('.commands-room .banner').count(), WAIT).toBe(2);
      expect(await violations(page)).toEqual([]);
      await openMath();
      expect(await violations(page)).toEqual([]);
      const wide = await page
        .locator('dialog')
        .evaluate((one) => one.scrollWidth - one.clientWidth);
      expect(wide).toBeLessThanOrEqual(0);
    },
  );
});
