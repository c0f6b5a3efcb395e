// The README's picture, made from a link: `cargo xtask pictures` builds the page first.

import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { args, executablePath } from './chromium.mjs';

const PICTURE = { path: 'docs/screenshot.png', link: 'v=2&codec=changed-flags&loss=5&interp=linear&scene=katamari&at=480' };

const server = await preview({ preview: { port: 0 }, logLevel: 'error' });
const address = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath, args });
await picture();
await browser.close();
await server.close();

async function picture() {
  const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: 'light' });
  await page.goto(`${address}#${PICTURE.link}`);
  await page.waitForSelector('html[data-ready]');
  // The way to the instant, and what is worked out there.
  await page.waitForTimeout(2_000);
  await page.waitForFunction(() => document.querySelector('lab-timeline .making') === null, undefined, { timeout: 120_000 });
  await page.waitForTimeout(1_000);
  await page.screenshot({ path: PICTURE.path });
  await page.close();
}
