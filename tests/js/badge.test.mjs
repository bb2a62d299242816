import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { load } from 'ridgepoint';
import { badgeSvg, textWidth } from 'ridgepoint/badge';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runInside } from './support/run.mjs';

// The verdict as a picture: what it says, and that it is a whole SVG file whatever it says.

const LLAMA = 'meta-llama/Meta-Llama-3-8B';
const A100 = ['--gpu', 'a100-sxm-80gb', '--engine', 'vllm@0.28.0', '--ctx', '8192'];

let folder;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ridgepoint-badge-'));
});
afterAll(() => rm(folder, { recursive: true }));

const badge = (args, options) => runInside(['badge', ...args], { load, ...options });
const texts = (svg) => [...svg.matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text);
const title = (svg) => /<title>([^<]*)</.exec(svg)?.[1];

describe('badge', () => {
  it('says what fits, with the range in its title, and ends with 0', async () => {
    const { status, stdout, stderr } = await badge([LLAMA, ...A100]);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(texts(stdout)).toEqual(['ridgepoint', 'serves: 56 requests at 8K on A100 SXM4 80GB']);
    expect(title(stdout)).toBe(
      `ridgepoint: ${LLAMA} on 1 × A100 SXM4 80GB, vllm 0.28.0: serves 56 requests (56 to 57) of 8,192 tokens at once.`,
    );
    expect(stdout).toContain(`role="img" aria-label="${title(stdout)}"`);
  });

  it('counts the cards, and says where fewer fit than are asked for', async () => {
    const cards = ['--gpu', 'l4:2', '--engine', 'vllm@0.28.0', '--ctx', '5000'];
    const { status, stdout } = await badge([LLAMA, ...cards, '--concurrency', '500']);
    expect(status).toBe(0);
    expect(texts(stdout)[1]).toMatch(
      /^serves: \d+ of 500 requests at 5,000 tokens on 2 × L4 24GB$/,
    );
    const enough = await badge([LLAMA, ...cards, '--concurrency', '2']);
    expect(texts(enough.stdout)[1]).not.toContain(' of ');
    expect(enough.stdout.match(/fill="#\w+"/)).not.toEqual(stdout.match(/fill="#\w+"/));
  });

  it.each([
    ['weights', 'meta-llama/Meta-Llama-3-70B', ['--ctx', '8192'], /weights exceed L4 24GB$/],
    ['kv_pool', LLAMA, ['--max-model-len', '131072'], /no room for .* on L4 24GB$/],
    ['free_memory', LLAMA, ['--gpu-free', '12GiB'], /too little free memory on L4 24GB$/],
  ])('of a setup that lacks %s says so and ends with 1', async (_, model, args, words) => {
    const out = join(folder, 'no.svg');
    const { status, stdout } = await badge([model, '--gpu', 'l4', ...args, '--out', out]);
    expect(status).toBe(1);
    expect(stdout).toBe('');
    const svg = await readFile(out, 'utf8');
    expect(texts(svg)[1]).toMatch(/^does not serve: /);
    expect(texts(svg)[1]).toMatch(words);
  });

  it('is written even where there is no answer, which ends with 2', async () => {
    const out = join(folder, 'none.svg');
    const unknown = await badge([LLAMA, '--gpu', 'nothing', '--out', out]);
    expect(unknown.status).toBe(2);
    expect(unknown.stderr).toContain('No card is known as "nothing"');
    expect(texts(await readFile(out, 'utf8'))[1]).toBe('no answer');
    const fetch = async () => {
      throw new TypeError('fetch failed');
    };
    const away = await badge(['org/other', '--gpu', 'l4'], { fetch });
    expect(away.status).toBe(2);
    expect(texts(away.stdout)[1]).toBe('no answer');
    expect(away.stderr).toMatch(/^error: /);
  });

  it('is not written where the command line itself is wrong', async () => {
    for (const [args, words] of [
      [['--gpu', 'l4'], 'name a model'],
      [[LLAMA, '--gpu', 'l4', '--style', 'round'], '--style takes flat or square'],
    ]) {
      const { status, stdout, stderr } = await badge(args);
      expect(stderr).toContain(words);
      expect(stdout).toBe('');
      expect(status).toBe(2);
    }
  });

  it('takes a label, none, and square corners', async () => {
    const named = await badge([LLAMA, ...A100, '--label', '<A> & "B"\u0007', '--style', 'square']);
    expect(texts(named.stdout)[0]).toBe('&lt;A&gt; &amp; &quot;B&quot; ');
    expect(named.stdout).toContain('rx="0"');
    const bare = await badge([LLAMA, ...A100, '--label', '']);
    expect(texts(bare.stdout)).toHaveLength(1);
  });

  it('has its place in the help', async () => {
    expect((await badge(['--help'])).stdout).toContain('Exit status');
    expect((await runInside(['--help'], { load })).stdout).toMatch(/^ {2}badge\b/m);
  });
});

describe('the picture', () => {
  const said = { label: 'label', message: 'message', tone: 'yes', title: 'title' };
  const number = (svg, pattern) => Number(pattern.exec(svg)?.[1]);

  it('is as wide as its text', () => {
    for (const message of ['i', 'W'.repeat(40), 'вместимость', '並發請求', '🦙 a']) {
      const svg = badgeSvg({ ...said, message });
      const last = [...svg.matchAll(/<text x="([\d.]+)" y="14" textLength="([\d.]+)"/g)].at(-1);
      const end = Number(last?.[1]) + Number(last?.[2]);
      const width = number(svg, /^<svg [^>]*width="(\d+)"/);
      expect(width).toBeGreaterThan(end);
      expect(width).toBeLessThan(end + 15);
    }
    expect(textWidth('Wide')).toBeGreaterThan(textWidth('iiii'));
    expect(textWidth('容量')).toBe(22);
  });

  it('holds nothing that XML cannot, and asks for nothing', () => {
    const message = '\u0000\u001b[1m\ud800 </text><script>x</script> "\'&\u2028';
    const svg = badgeSvg({ label: message, message, tone: 'no', title: message });
    expect(svg).not.toMatch(/[^\n\P{Cc}]|\p{Cs}|<script|&(?!amp;|lt;|gt;|quot;)/u);
    expect(svg.match(/<(?!\/)[a-z]+/g)).toEqual([
      ...['<svg', '<title', '<rect', '<path', '<g', '<text', '<text'],
    ]);
    expect(svg).not.toMatch(/href|url\(|style=/);
  });

  it('has a text that can be read on each colour', () => {
    const channel = (part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
    for (const tone of ['yes', 'mid', 'no', 'unknown']) {
      const fills = [...badgeSvg({ ...said, tone }).matchAll(/fill="#(\w{6})"/g)];
      expect(fills).toHaveLength(2);
      for (const [, hex] of fills) {
        const [r, g, b] = hex.match(/../g).map((part) => channel(Number.parseInt(part, 16) / 255));
        const contrast = 1.05 / (0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05);
        expect(contrast).toBeGreaterThan(4.5);
      }
    }
  });
});
