// One cold load of the built page up to its first answer: when it came, and what had been asked for
// by then.

/** A slow phone on a slow network. */
export const SLOW = { cpu: 4, latency: 150, bitsPerSecond: 1_600_000 };

/** Notes when the verdict is in the page, for a page that does not mark it itself. */
function watch() {
  const seen = new MutationObserver(() => {
    if (!document.querySelector('.verdict[data-serves] .word')) return;
    seen.disconnect();
    performance.mark('seen:answer');
  });
  seen.observe(document, { childList: true, subtree: true });
}

function answeredAt() {
  const [seen] = performance.getEntriesByName('seen:answer');
  if (!seen) return null;
  const [own = seen] = performance.getEntriesByName('ridgepoint:answer');
  return Math.max(seen.startTime, own.startTime);
}

/** @param {number} ms */
function askedFor(ms) {
  return [
    ...performance.getEntriesByType('navigation'),
    ...performance.getEntriesByType('resource'),
  ]
    .filter(({ startTime }) => startTime <= ms)
    .map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }));
}

/** @param {import('playwright-core').Page} page @param {typeof SLOW} slow */
export async function slowDown(page, { cpu, latency, bitsPerSecond }) {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: cpu });
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency,
    downloadThroughput: bitsPerSecond / 8,
    uploadThroughput: bitsPerSecond / 8,
  });
}

/**
 * In a profile of its own, with nothing kept; what it asked for is told where it is not slowed down.
 *
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {typeof SLOW} [slow]
 * @returns {Promise<{ ms: number, files: { name: string, bytes: number }[], bytes: number }>}
 */
export async function firstAnswer(browser, url, slow) {
  const context = await browser.newContext();
  const page = await context.newPage();
  if (slow) await slowDown(page, slow);
  await page.addInitScript(watch);
  await page.goto(url);
  const ms = await (await page.waitForFunction(answeredAt)).jsonValue();
  // What was still on its way then counts too.
  if (!slow) await page.waitForLoadState('networkidle');
  const files = await page.evaluate(askedFor, ms);
  await context.close();
  return { ms, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
