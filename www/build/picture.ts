// The site's icon as a PNG, for those that take no SVG: its rectangles, drawn without any library.

import { crc32, deflateSync } from 'node:zlib';

const RECT = /<rect x="(\d+)" y="(\d+)" width="(\d+)" height="(\d+)"[^>]*?fill="#([0-9a-f]{6})"(?: opacity="([.\d]+)")?/g;
/** The side of the SVG's view box. */
const SIDE = 32;
/** Launchers cut off corners: the drawing keeps to the middle. */
const DRAWN = 0.72;

/** The rectangles of an SVG of 32 units a side, on white, as a square PNG of this many pixels. */
export function png(svg: string, side: number): Buffer {
  const rows = Buffer.alloc(side * (side * 3 + 1), 255);
  for (let y = 0; y < side; y += 1) rows[y * (side * 3 + 1)] = 0;
  const scale = (side / SIDE) * DRAWN;
  const edge = (side * (1 - DRAWN)) / 2;
  for (const [, ...parts] of svg.matchAll(RECT)) {
    const [left = 0, top = 0, width = 0, height = 0] = parts.slice(0, 4).map((part) => Number(part) * scale);
    const colour = Number.parseInt(parts[4] ?? '', 16);
    const opacity = Number(parts[5] ?? 1);
    for (let y = Math.round(edge + top); y < edge + top + height; y += 1) {
      for (let x = Math.round(edge + left); x < edge + left + width; x += 1) {
        const place = y * (side * 3 + 1) + 1 + x * 3;
        for (let part = 0; part < 3; part += 1) {
          const value = (colour >> (16 - 8 * part)) & 255;
          rows[place + part] = Math.round(value * opacity + 255 * (1 - opacity));
        }
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(side, 0);
  header.writeUInt32BE(side, 4);
  // Eight bits a part, red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]);
  return Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', deflateSync(rows)), chunk('IEND', Buffer.alloc(0))]);
}

function chunk(name: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
