// A browser in a network of its own: a pair of virtual cards with addresses and a default route. Without a route a browser has no
// address to offer.

import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Browser, chromium } from '@playwright/test';
import { args, executablePath } from './chromium.mjs';

/** The browser's address in its network. */
export const OWN_ADDRESS = '10.77.0.1';
const NETWORK = [
  'ip link set lo up',
  'ip link add lab0 type veth peer name lab1',
  // An address that comes by itself some seconds later is a change of the network, which ends what a page is loading.
  'ip link set lab0 addrgenmode none',
  'ip link set lab1 addrgenmode none',
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
  /** Asks the program that runs beside the browser in its network (browsers/inside.mjs). The first call starts it. */
  inside<Value = void>(act: string, ...values: unknown[]): Promise<Value>;
  /** Runs a command of the shell in the network. */
  shell(command: string): void;
  close(): Promise<void>;
}

/** Starts a browser in a network of its own. A command of the shell may start a program there before it; `$FOLDER` is the folder. */
export async function launchInNetwork(before = 'true'): Promise<NetworkBrowser> {
  const folder = mkdtempSync(join(tmpdir(), 'lab-network-'));
  const program = join(folder, 'chromium');
  writeFileSync(
    program,
    `#!/bin/sh\nexport FOLDER='${folder}'\nexec unshare -n sh -c 'echo $$ > "$FOLDER/namespace" && ${NETWORK} && { ${before}\n} && exec "$@"' sh '${executablePath}' "$@"\n`,
  );
  chmodSync(program, 0o755);
  const browser = await chromium.launch({ executablePath: program, args: [...args] });
  const namespace = (): string => readFileSync(join(folder, 'namespace'), 'utf8').trim();
  let beside: Inside | undefined;
  const inside = <Value>(act: string, ...values: unknown[]): Promise<Value> => {
    beside ??= new Inside(namespace());
    return beside.ask(act, values) as Promise<Value>;
  };
  const shell = (command: string): void => {
    const { status, stderr } = spawnSync('nsenter', [`--net=/proc/${namespace()}/ns/net`, 'sh', '-c', command], { encoding: 'utf8' });
    if (status !== 0) throw new Error(`${command}: ${stderr}`);
  };
  const close = async (): Promise<void> => {
    await beside?.close();
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { browser, folder, inside, shell, close };
}

/** The program in the network of a process. */
class Inside {
  private readonly program;
  private readonly waiting = new Map<number, (answer: { value?: unknown; error?: string }) => void>();
  private asked = 0;

  constructor(pid: string) {
    const node = [process.execPath, '--experimental-websocket', '--no-warnings', 'www/tests/browsers/inside.mjs', OWN_ADDRESS];
    this.program = spawn('nsenter', [`--net=/proc/${pid}/ns/net`, ...node], { stdio: ['pipe', 'pipe', 'inherit'] });
    createInterface(this.program.stdout).on('line', (line) => {
      const { id, ...answer } = JSON.parse(line) as { id: number; value?: unknown; error?: string };
      this.waiting.get(id)?.(answer);
      this.waiting.delete(id);
    });
    this.program.on('exit', () => {
      for (const answer of this.waiting.values()) answer({ error: 'The program in the network has ended' });
    });
  }

  async ask(act: string, values: readonly unknown[]): Promise<unknown> {
    this.asked += 1;
    const id = this.asked;
    const answer = await new Promise<{ value?: unknown; error?: string }>((resolve) => {
      this.waiting.set(id, resolve);
      this.program.stdin.write(`${JSON.stringify({ id, act, values })}\n`);
    });
    if (answer.error !== undefined) throw new Error(answer.error);
    return answer.value;
  }

  /** Ends it, and Firefox with it. */
  async close(): Promise<void> {
    const ended = new Promise((resolve) => this.program.on('exit', resolve));
    this.program.stdin.end();
    await ended;
  }
}
