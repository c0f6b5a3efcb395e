// Makes the stills and the preview of the article from its own figures, each at its telling instant: build the site, then
// `FONTCONFIG_FILE=$PWD/.ci/fonts.conf node www/article/make-stills.mjs [ID...]`.

import { writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { preview } from 'vite';
import { args, executablePath } from '../tests/chromium.mjs';

const FOLDER = 'www/article';
const [WIDTH, FIGURE_WIDTH] = [1200, 1080];
const only = process.argv.slice(2);

const server = await preview({ preview: { port: 0 } });
const site = server.resolvedUrls?.local[0] ?? '';
const browser = await chromium.launch({ executablePath, args });

/**
 * @param {import('@playwright/test').Page} desk
 * @param {Buffer} png
 */
async function webp(desk, png) {
  const url = await desk.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.width, image.height];
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    return canvas.toDataURL('image/webp', 0.65);
  }, png.toString('base64'));
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

const desk = await browser.newPage();
for (const [colorScheme, suffix] of /** @type {const} */ ([
  ['light', ''],
  ['dark', '-dark'],
])) {
  const context = await browser.newContext({
    bypassCSP: true,
    colorScheme,
    reducedMotion: 'reduce',
    viewport: { width: 1280, height: 1600 },
    deviceScaleFactor: WIDTH / FIGURE_WIDTH,
  });
  const page = await context.newPage();
  await page.goto(`${site}article/`);
  // The names of the views stand over the still, too.
  await page.addStyleTag({ content: '.names { display: none !important }' });
  for (const figure of await page.locator('snapshot-figure').all()) {
    const id = (await figure.getAttribute('id')) ?? '';
    if (only.length > 0 && !only.includes(id)) continue;
    const stage = figure.locator('.stage');
    const instant = await figure.evaluate((element) => Reflect.get(element, 'instant'));
    if (id === 'lab') {
      await stage.getByRole('button').click();
      const lab = page.frameLocator('#lab iframe');
      await lab.locator('html[data-ready]').waitFor({ timeout: 120_000 });
      await lab.locator('.screen canvas').waitFor();
      await lab.locator('lab-bar strong').waitFor();
    } else {
      await stage.scrollIntoViewIfNeeded();
      await figure.evaluate((element, tick) => Reflect.get(element, 'stand').call(element, tick), instant);
      await page.locator(`#${id}[data-tick="${instant}"]`).waitFor({ timeout: 240_000 });
    }
    const png = await stage.screenshot();
    const bytes = await webp(desk, png);
    writeFileSync(`${FOLDER}/stills/${id}${suffix}.webp`, bytes);
    console.log(`${id}${suffix}.webp: ${Math.round(bytes.length / 1024)} kB`);
    if (id === 'seam' && suffix === '') {
      await page.setViewportSize({ width: (1200 * FIGURE_WIDTH) / WIDTH, height: (630 * FIGURE_WIDTH) / WIDTH });
      await page.addStyleTag({
        content:
          'nav, snapshot-figure .control, figcaption { display: none } body { padding-block: 0 } .names { display: grid !important } #seam { max-width: 780px; margin-block: 0 }',
      });
      await page.evaluate(() => scrollTo(0, 0));
      await page.screenshot({ path: `${FOLDER}/preview.png` });
      await page.reload();
      await page.addStyleTag({ content: '.names { display: none !important }' });
      await page.setViewportSize({ width: 1280, height: 1600 });
    }
  }
  await context.close();
}
await browser.close();
await server.close();
