// One cold load of the built page up to its first answer: when that was painted, and what had been
// asked for by then.

/** A slow phone on a slow network. */
export const SLOW = { cpu: 4, latency: 150, bitsPerSecond: 1_600_000 };

/** What the page is opened with, and how the answer to just that begins. */
export const openings = {
  example: { hash: '', setup: 'meta-llama/Meta-Llama-3-8B on 1 × A100 SXM4 80GB' },
  /** Nothing of this answer is known before the core is there. */
  link: {
    hash: '#v=2&m=Qwen/Qwen3-8B&g=h100-sxm-80gb&n=2&e=vllm&ev=0.28.0&c=4096&p=1024&o=256&u=8&f.tensor-parallel-size=2',
    setup: 'Qwen/Qwen3-8B on 2 × H100 SXM5',
  },
};

/**
 * Notes when the first frame that shows the answer was painted.
 *
 * @param {string} setup
 */
function watch(setup) {
  const painted = new MessageChannel();
  painted.port1.onmessage = () => performance.mark('seen:answer');
  const shown = (line) => line.getClientRects().length > 0 && line.textContent.includes(setup);
  const frame = () => {
    const lines = document.querySelectorAll('.verdict[data-serves="yes"] .setup');
    if ([...lines].some(shown)) painted.port2.postMessage(null);
    else requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
}

const answeredAt = () => performance.getEntriesByName('seen:answer')[0]?.startTime ?? null;

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
 * @param {(typeof openings)['link']} opening
 * @param {typeof SLOW} [slow]
 * @returns {Promise<{ ms: number, files: { name: string, bytes: number }[], bytes: number }>}
 */
export async function firstAnswer(browser, url, { hash, setup }, slow) {
  const context = await browser.newContext({ locale: 'en-US' });
  const page = await context.newPage();
  if (slow) await slowDown(page, slow);
  await page.addInitScript(watch, setup);
  await page.goto(url + hash);
  const ms = await (await page.waitForFunction(answeredAt)).jsonValue();
  // What was still on its way then counts too.
  if (!slow) await page.waitForLoadState('networkidle');
  const files = await page.evaluate(askedFor, ms);
  await context.close();
  return { ms, files, bytes: files.reduce((sum, { bytes }) => sum + bytes, 0) };
}
