// How fast the built page answers and how much it weighs, as a table in Markdown: a local server,
// brotli, an empty profile each time. CHROMIUM names the browser.
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';
import { budgets } from './budgets.mjs';
import { firstAnswer, SLOW } from './first-answer.mjs';
import { repaints } from './repaint.mjs';
import { siteSizes } from './site-sizes.mjs';

const LOADS = 9;

const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(bytes < 100_000 ? 1 : 0)} kB`;
const milliseconds = (ms) => `${ms.toFixed(ms < 20 ? 1 : 0)} ms`;

function row(what, value, budget, unit) {
  const kept = budget === undefined ? '' : value <= budget ? 'kept' : '**over**';
  return `| ${what} | ${unit(value)} | ${budget === undefined ? '' : unit(budget)} | ${kept} |`;
}

const { server, url } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const loads = async (slow) => {
  const all = [];
  for (let i = 0; i < LOADS; i++) all.push(await firstAnswer(browser, url, slow));
  return all;
};
await firstAnswer(browser, url); // starts the browser's own processes
const plain = await loads();
const slow = await loads(SLOW);
const typed = await repaints(browser, url, 1);
const typedSlow = await repaints(browser, url, SLOW.cpu);
await browser.close();
server.close();

const sizes = siteSizes();
const network = `${SLOW.bitsPerSecond / 1e6} Mbit/s, ${SLOW.latency} ms`;
console.log(`
| The page, measured by \`bash tests/bench.sh page\` | | budget | |
|---|--:|--:|---|
${[
  row(
    'First answer, cold load',
    median(plain.map(({ ms }) => ms)),
    budgets.firstAnswerMs,
    milliseconds,
  ),
  row(
    `the same, CPU ${SLOW.cpu} times slower, ${network}`,
    median(slow.map(({ ms }) => ms)),
    budgets.slowFirstAnswerMs,
    milliseconds,
  ),
  row('Input to repaint', median(typed), budgets.repaintMs, milliseconds),
  row(
    `the same, CPU ${SLOW.cpu} times slower`,
    median(typedSlow),
    budgets.slowRepaintMs,
    milliseconds,
  ),
  row('Needed for the first answer, brotli', plain[0].bytes, budgets.firstAnswerBytes, kilobytes),
  row('All of the page, brotli', sizes.page, undefined, kilobytes),
  row('The offline file', sizes.offline, budgets.offlineBytes, kilobytes),
  ...(sizes.widget === null
    ? []
    : [row('The widget, brotli', sizes.widget, budgets.widgetBytes, kilobytes)]),
].join('\n')}

Medians of ${LOADS} loads and of ${typed.length} key presses.`);
console.log(`\nAsked for before the first answer:`);
for (const { name, bytes } of plain[0].files) {
  console.log(`  ${kilobytes(bytes).padStart(9)}  ${name.slice(url.length) || 'index.html'}`);
}
