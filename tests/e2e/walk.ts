import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { WAIT } from './browser';

// Looks at all that is loaded late: every view, every language, and what the worker works out.

const DIALOGS = ['#share', '#embed', '#show-math'];

export async function walk(page: Page, dialogs = DIALOGS): Promise<void> {
  await page.locator('#report-json[data-whole="yes"]').waitFor({ ...WAIT, state: 'attached' });
  for (const room of await page.locator('nav.rooms button[id^="room-"]').all()) {
    await room.click();
    await expect.poll(() => page.locator('.wide .waiting').count(), WAIT).toBe(0);
    expect((await page.locator('.wide').innerText()).length).toBeGreaterThan(20);
  }
  await page.locator('#room-answer').click();
  for (const opener of dialogs) {
    await page.locator(opener).click();
    await page.locator('dialog[open]').waitFor(WAIT);
    await expect.poll(() => page.locator('dialog .waiting').count(), WAIT).toBe(0);
    expect((await page.locator('dialog').innerText()).length).toBeGreaterThan(20);
    if (opener === '#embed') {
      const word = (await page.locator('main > .verdict .word').innerText()).trim();
      const preview = page.locator('dialog ridgepoint-calculator').getByText(word).first();
      await preview.waitFor(WAIT);
    }
    await page.keyboard.press('Escape');
  }
  const words = new Set<string>();
  for (const lang of ['ru', 'zh', 'en']) {
    await page.locator('#language').selectOption(lang);
    await expect.poll(() => page.locator('html').getAttribute('lang'), WAIT).toBe(lang);
    words.add(await page.locator('.verdict .word').innerText());
  }
  expect(words.size).toBe(3);
}
