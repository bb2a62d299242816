// Makes the PNG files of web/public: icons for home screens, and the card that a link shows.
// `node web/pictures/make.mjs`, after a change of the icon or the card. CHROMIUM names the browser.
import { readFile, writeFile } from 'node:fs/promises';
import { chromium } from 'playwright-core';
import { fit } from 'ridgepoint';

const beside = (path) => new URL(path, import.meta.url);
const icon = await readFile(beside('../public/icon.svg'), 'utf8');
const card = await readFile(beside('card.html'), 'utf8');

/** A launcher cuts a maskable icon to its own shape: the drawing keeps to the middle. */
const maskable = icon
  .replace(/ rx="\d+"/, '')
  .replace(/<path/, '<path transform="translate(16 16) scale(.72) translate(-16 -17)"');
const square = icon.replace(/ rx="\d+"/, '');

const page = (drawing) =>
  `<!doctype html><style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>${drawing}`;

/** The bar of the card is the page's own example, as the core answers it. */
async function cardPage() {
  const { memory, verdict } = await fit({
    model: { id: 'meta-llama/Meta-Llama-3-8B' },
    gpu: { id: 'a100-sxm-80gb' },
    engine: { name: 'vllm' },
    workload: { context: 8192 },
  });
  const { total, requested, ...parts } = memory.per_gpu;
  const best = (name) => parts[name]?.best ?? 0;
  const sizes = {
    weights: best('weights'),
    other: best('activation') + best('non_torch') + best('cuda_graphs_charged'),
    pool: best('kv_pool'),
    rest: total - (requested ?? 0),
  };
  const starts = { other: sizes.weights, pool: sizes.weights + sizes.other };
  const share = (size) => ((size / total) * 1000).toFixed(2);
  return card
    .replaceAll(/\{share:(\w+)\}/g, (_, name) => share(sizes[name]))
    .replaceAll(/\{at:(\w+)\}/g, (_, name) => share(starts[name]))
    .replaceAll(/\{gib:(\w+)\}/g, (_, name) =>
      ((name === 'total' ? total : sizes[name]) / 2 ** 30).toFixed(1),
    )
    .replace('{verdict}', verdict.text);
}

const pictures = [
  ['icon-192.png', 192, 192, page(icon)],
  ['icon-512.png', 512, 512, page(icon)],
  ['icon-maskable-512.png', 512, 512, page(maskable)],
  ['apple-touch-icon.png', 180, 180, page(square)],
  ['card.png', 1200, 630, await cardPage()],
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
for (const [name, width, height, html] of pictures) {
  const tab = await browser.newPage({ viewport: { width, height } });
  await tab.setContent(html);
  await writeFile(beside(`../public/${name}`), await tab.screenshot({ omitBackground: true }));
  await tab.close();
}
await browser.close();
