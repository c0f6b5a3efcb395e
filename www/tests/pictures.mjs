// The README's picture, made from a link, and a still of each step of the tour in target/steps.pdf: `cargo xtask pictures` builds the page first.

import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { args, executablePath } from './chromium.mjs';

const PICTURE = { path: 'docs/screenshot.png', link: 'v=2&codec=changed-flags&loss=5&interp=linear&scene=katamari&at=480' };

const server = await preview({ preview: { port: 0 }, logLevel: 'error' });
const address = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath, args });
await picture();
await stills();
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

/** A page of paper for each step: views and question, paused before anything moves. */
async function stills() {
  const page = await browser.newPage({ viewport: { width: 1280, height: 720 }, colorScheme: 'light' });
  await page.goto(address);
  await page.waitForSelector('html[data-ready]');
  const ids = await page.locator('#tour [data-step]').evaluateAll((steps) => steps.map((step) => step.getAttribute('data-step')));
  const images = [];
  for (const id of ids) {
    await page.goto(`${address}#step=${id}`);
    await page.reload();
    await page.waitForSelector('html[data-ready]');
    await page.waitForFunction(() => document.querySelector('lab-timeline .making') === null, undefined, { timeout: 120_000 });
    await page.waitForTimeout(500);
    images.push((await page.screenshot({ type: 'jpeg', quality: 80 })).toString('base64'));
  }
  const paper = await browser.newPage();
  await paper.setContent(
    `<style>body{margin:0}img{display:block;width:100%;break-after:page}</style>${images.map((image) => `<img src="data:image/jpeg;base64,${image}">`).join('')}`,
  );
  await paper.pdf({ path: 'target/steps.pdf', width: '1280px', height: '720px', printBackground: true });
}
