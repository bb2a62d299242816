// How fast the built page answers and how much it weighs, as a table in Markdown: a local server,
// brotli, an empty profile each time. CHROMIUM names the browser.
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';
import { budgets } from './budgets.mjs';
import { firstAnswer, openings, SLOW } from './first-answer.mjs';
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
const loads = async (opening, slow) => {
  const all = [];
  for (let i = 0; i < LOADS; i++) all.push(await firstAnswer(browser, url, opening, slow));
  return all;
};
const answered = (presses) => median(presses.map(({ answer }) => answer));
const followed = (presses) => median(presses.map(({ page }) => page));
const middle = (all) => median(all.map(({ ms }) => ms));
await firstAnswer(browser, url, openings.example); // starts the browser's own processes
const plain = await loads(openings.example);
const slow = await loads(openings.example, SLOW);
const linked = await loads(openings.link);
const linkedSlow = await loads(openings.link, SLOW);
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
  row('First answer painted, cold load', middle(plain), budgets.firstAnswerMs, milliseconds),
  row(
    `the same, CPU ${SLOW.cpu} times slower, ${network}`,
    middle(slow),
    budgets.slowFirstAnswerMs,
    milliseconds,
  ),
  row('By a link to another setup, cold load', middle(linked), undefined, milliseconds),
  row('the same, as slow', middle(linkedSlow), undefined, milliseconds),
  row('A key press to the answer painted', answered(typed), budgets.repaintMs, milliseconds),
  row(
    `the same, CPU ${SLOW.cpu} times slower`,
    answered(typedSlow),
    budgets.slowRepaintMs,
    milliseconds,
  ),
  row('and to what is below it', followed(typed), undefined, milliseconds),
  row('the same, as slow', followed(typedSlow), undefined, milliseconds),
  row('Needed for it, brotli', linked[0].bytes, budgets.firstAnswerBytes, kilobytes),
  row('All of the page, brotli', sizes.page, undefined, kilobytes),
  row('The offline file', sizes.offline, budgets.offlineBytes, kilobytes),
  ...(sizes.widget === null
    ? []
    : [row('The widget, brotli', sizes.widget, budgets.widgetBytes, kilobytes)]),
].join('\n')}

Medians of ${LOADS} loads and of ${typed.length} key presses.`);
console.log(`\nAsked for before the answer to the link:`);
for (const { name, bytes } of linked[0].files) {
  console.log(`  ${kilobytes(bytes).padStart(9)}  ${name.slice(url.length).replace(/#.*/, '') || 'index.html'}`);
}
