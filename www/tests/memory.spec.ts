// What files of a few bytes take of the page's own process: read from Linux, so elsewhere these tests are skipped.

import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { args, executablePath } from './chromium.mjs';
import { expect, test } from './page';

/** Parts of .xz files, which may follow each other: a line of names, 1 MB of equal rows, and 1 MB of a capture. All of the largest dictionary. */
const NAMES = '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jMAQAHdCx4LHksegoADfqS4OSqIzEAASAIuxnZux+2830BAAAAAARZWg==';
const ROWS =
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM7///AOFdABiLHARlg1mcOESVtGZQvGzXf766y91s66um6rPWqogez3ncxpxuhCdRYwXRj2Qc2JTWgC0rB9lPl3m6IBzdT6FKUBQ7Ma8FwDTPRS1Ny/iWARJfa2WUwKJgeG6CrCjb78bdnf3WJXhZ+AvN/5UoRg+p/Hze+5owLlbAj4Xzg4HAZcQlU/j1kTYxBaWw7m/BcE1HDNGREaqtYB26zrEnGFxZhulmUli+6XasWeTlWwUI+cfarfz7Uit0zR5bIEL53VM9+ClkCTuAyyps37U78MS9Ll+qDz5LZkKQEw7pF+91AAAAAACYofYQuDJOsQAB/QGAgEAAFBUsq7HEZ/sCAAAAAARZWg==';
const ZEROS =
  '/Td6WFoAAATm1rRGAgAhARwAAAAQz1jM79Z/ANddAABv/f//o7f/Rz5IFXI5YVG4kijmo4YH+e7kHoLTL8U6PAFLsX7JiopNL6MN2X+m44wjEVPgWRjFdYrid/i2lH8MasDedElk4ulcU7IE2PdEDKtfDW1G6eXDdoi3llestk3haR1v+0uIEGxCy4g/XACP0E6vJiiUcR89jyThcJ6nI1/sKMuF0ZWYin4qkfIndfcZwAaYTZj92K/VkA/EJVP49ZE2MQWlsO5vwXBNRwzRkRGqrWAdus6xJxhcWYbpZlJYvul2rFnk5VsFCPnH2q38+0s0ZC4AAAAIW3jZkSvIGQAB8wGArT8A7sQUCbHEZ/sCAAAAAARZWg==';

const xz = (...parts: string[]): Buffer => Buffer.concat(parts.map((part) => Buffer.from(part, 'base64')));
const zip = (files: Record<string, Uint8Array>): Buffer => Buffer.from(zipSync({ 'link.txt': strToU8('v=2&hz=20'), ...files }));
const times = (count: number, part: string): string[] => Array.from({ length: count }, () => part);

test.skip(process.platform !== 'linux', 'the memory of a process is read from /proc');

test('no file below 5 MB makes the page hold 600 MB @apart', async ({ playwright, baseURL }) => {
  test.setTimeout(180_000);
  const objects = Array.from({ length: 4096 }, (_, object) => `0,${object},${object % 99}.1,2,3\n`);
  const motion = strToU8(`tick,object,x,y,z\n${Array.from({ length: 300 }, (_, tick) => `${tick},0,${tick % 9},2,3\n`).join('')}`);
  const files: [name: string, file: Buffer, expected: RegExp][] = [
    ['capture.bin', xz(...times(256, ZEROS)), /153\.6 s at 60 Hz/],
    ['rows.csv', xz(NAMES, ...times(63, ROWS)), /there is no room/],
    ['long.csv', xz(NAMES, ...times(250, ROWS)), /more than 67108864 bytes/],
    ['standing.csv', Buffer.from(`tick,object,x,y,z\n${objects.join('')}72000,0,1,2,3\n`), /4,096 objects/],
    ['bomb.zip', zip({ 'motion/a.csv': new Uint8Array(2 ** 27), 'client/a.csv': new Uint8Array(2 ** 27) }), /unpack it/],
    ['twice.zip', zip({ 'motion/a.csv': motion, 'client/b.csv': xz(NAMES, ...times(63, ROWS)) }), /The client’s file: /],
  ];
  const browser = await playwright.chromium.launch({ executablePath, args });
  const session = await browser.newBrowserCDPSession();
  for (const [name, buffer, expected] of files) {
    const page = await browser.newPage();
    await page.goto(`${baseURL}#grid=5&hz=20`);
    await page.waitForSelector('html[data-ready]');
    await page.locator('#motion').setInputFiles({ name, mimeType: 'text/csv', buffer });
    await expect(page.locator('body')).toContainText(expected, { timeout: 60_000 });
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => readFileSync(`/proc/${id}/status`, 'utf8'));
    const most = Math.max(...renderers.map((status) => Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1000));
    test.info().annotations.push({ type: name, description: `${buffer.length} bytes, ${Math.round(most)} MB` });
    expect(buffer.length).toBeLessThan(5e6);
    expect(most, name).toBeLessThan(600);
    await page.close();
  }
  await browser.close();
});
