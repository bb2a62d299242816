import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type Axe from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { WAIT } from './browser';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on the page at rest: marks of changed numbers fade first. */
export async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  await expect.poll(() => page.locator('[data-changed]').count(), WAIT).toBe(0);
  return page.evaluate(async () => {
    const { axe: checker } = window as unknown as { axe: typeof Axe };
    const { violations: found } = await checker.run(document);
    return found.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
    );
  });
}
