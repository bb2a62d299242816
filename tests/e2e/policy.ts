import type { Page } from 'playwright-core';

declare global {
  interface Window {
    violations?: string[];
  }
}

/** Notes what a page's policy forbade, from the first moment; gives a way to read the notes. */
export async function watchPolicy(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    window.violations = [];
    document.addEventListener('securitypolicyviolation', (event) => {
      window.violations?.push(`${event.effectiveDirective} ${event.blockedURI} ${event.sample}`);
    });
  });
  return () => page.evaluate(() => window.violations ?? []);
}
