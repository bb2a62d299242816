import { slowDown } from './first-answer.mjs';

// From a key press in a field to the frame that shows the new answer: verdict, figures and bar, and
// then to the one by which flags and what is below the bar have followed.

const PRESSES = 20;

/** Notes for each input when the answer had changed and the next frame was painted. */
function watch() {
  window.repaints = [];
  let typed = 0;
  let changed = false;
  let answer = 0;
  new MutationObserver(() => {
    if (typed) changed = true;
  }).observe(document.querySelector('.verdict'), {
    attributes: true,
    childList: true,
    characterData: true,
    subtree: true,
  });
  const painted = (behind) => {
    if (!changed || !typed) return;
    answer ||= performance.now() - typed;
    if (behind) return;
    window.repaints.push({ answer, page: performance.now() - typed });
    typed = 0;
    answer = 0;
    changed = false;
  };
  document.addEventListener(
    'input',
    (event) => {
      typed = event.timeStamp;
      const frame = () => {
        if (!typed) return;
        // A task of a frame's callbacks is the first after it, before those of the page's own.
        setTimeout(painted, 0, document.querySelector('.answer[data-behind]') !== null);
        requestAnimationFrame(frame);
      };
      requestAnimationFrame(frame);
    },
    true,
  );
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {number} cpu how much slower than it is
 * @returns {Promise<{ answer: number, page: number }[]>} milliseconds
 */
export async function repaints(browser, url, cpu) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(url);
  await page.waitForSelector('#report-json[data-whole="yes"]', { state: 'attached' });
  await page.evaluate(watch);
  if (cpu > 1) await slowDown(page, { cpu, latency: 0, bitsPerSecond: -8 });
  await page.focus('#concurrency');
  await page.keyboard.press('End');
  for (let press = 0; press < PRESSES; press++) {
    const seen = await page.evaluate(() => window.repaints.length);
    await page.keyboard.press(press % 2 === 0 ? '1' : 'Backspace');
    await page.waitForFunction((before) => window.repaints.length > before, seen);
    await page.waitForTimeout(100);
  }
  const times = await page.evaluate(() => window.repaints);
  await context.close();
  return times;
}
