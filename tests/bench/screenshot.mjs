// Takes the picture in the README from the built page. CHROMIUM names the browser.
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { serve } from '../../web/server.mjs';

const { server, url } = await serve();
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
});
const page = await browser.newPage({ viewport: { width: 1280, height: 870 } });
await page.goto(url);
await page.locator('.verdict[data-serves="yes"]').waitFor();
await page.screenshot({
  path: fileURLToPath(new URL('../../web/screenshot.png', import.meta.url)),
});
await browser.close();
server.close();
