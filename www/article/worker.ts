// The Worker of the figures.

import { obey } from './engine';
import type { Order } from './protocol';

self.onmessage = async ({ data }: MessageEvent<Order>) => {
  const reply = await obey(data);
  const bitmaps = reply.pictures.flatMap(({ bitmap }) => bitmap ?? []);
  self.postMessage(reply, { transfer: bitmaps });
};
