// Milliseconds from the start of a navigation to the first answer on the built page: a local server,
// brotli, an empty cache each time. CHROMIUM names the browser.
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';

const LOADS = 9;

/** Runs in the page before its own scripts: notes when the verdict is about to be painted. */
function watch() {
  const seen = new MutationObserver(() => {
    if (!document.querySelector('.verdict[data-serves="yes"] .word')) return;
    seen.disconnect();
    requestAnimationFrame(() => {
      window.firstAnswer = performance.now();
    });
  });
  seen.observe(document, { childList: true, subtree: true });
}

async function timeLoad(browser, url) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(watch);
  await page.goto(url);
  const answer = await page.waitForFunction(() => window.firstAnswer);
  const time = await answer.jsonValue();
  await context.close();
  return time;
}

const { server, url } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
await timeLoad(browser, url); // starts the browser's own processes
const times = [];
for (let i = 0; i < LOADS; i++) times.push(await timeLoad(browser, url));
await browser.close();
server.close();

times.sort((a, b) => a - b);
const shown = [times[LOADS >> 1], times[0], times[LOADS - 1]].map((time) => time.toFixed(0));
console.log('\nFirst answer on the page, from the start of the navigation');
console.log(`  median of ${LOADS} loads ${shown[0]} ms (${shown[1]} to ${shown[2]})`);
