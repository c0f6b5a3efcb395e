// The built site, served to browsers that Playwright does not drive.
// @ts-check

import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

/** A folder nobody would choose: the site works from any. */
const FOLDER = '/any/folder/';
const TYPES = /** @type {Record<string, string>} */ ({
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
});

/** Serves the built site at an address of this machine. */
export async function serve(address = '127.0.0.1') {
  const server = createServer((request, response) => {
    const named = new URL(request.url ?? '', 'http://here').pathname.slice(FOLDER.length);
    const path = named === '' || named.endsWith('/') ? `${named}index.html` : named;
    try {
      const body = readFileSync(join('dist', path));
      response.writeHead(200, { 'content-type': TYPES[extname(path)] ?? 'text/plain' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  }).listen(0, address);
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { site: `http://${address}:${port}${FOLDER}`, close };
}
