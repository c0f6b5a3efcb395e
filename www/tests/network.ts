// A browser in a network of its own: a pair of virtual cards with addresses and a default route. Without a route a browser has no
// address to offer.

import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { args, executablePath } from './chromium.mjs';

/** The browser's address in its network. */
export const OWN_ADDRESS = '10.77.0.1';
const NETWORK = [
  'ip link set lo up',
  'ip link add lab0 type veth peer name lab1',
  `ip addr add ${OWN_ADDRESS}/24 dev lab0`,
  'ip link set lab0 up',
  'ip link set lab1 up',
  'ip route add default via 10.77.0.2 dev lab0',
].join(' && ');

/** True if a process may have a network of its own here. */
export const hasNamespaces = spawnSync('unshare', ['-n', 'sh', '-c', NETWORK]).status === 0;

/** A browser in its network, with a folder for files beside it. */
export interface NetworkBrowser {
  browser: Browser;
  folder: string;
  close(): Promise<void>;
}

/** Starts a browser in a network of its own. A command of the shell may start a program there before it; `$FOLDER` is the folder. */
export async function launchInNetwork(before = 'true'): Promise<NetworkBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'lab-network-'));
  const program = join(folder, 'chromium');
  writeFileSync(
    program,
    `#!/bin/sh\nexport FOLDER='${folder}'\nexec unshare -n sh -c '${NETWORK} && { ${before}\n} && exec "$@"' sh '${executablePath}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  const browser = await chromium.launch({ executablePath: program, args: [...args] });
  const close = async (): Promise<void> => {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { browser, folder, close };
}
