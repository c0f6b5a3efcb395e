// A project that has the package as its users do: packed, then unpacked into node_modules.

import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../../', import.meta.url));

/** The folder of what is built, as `cargo xtask package` chooses it. */
export const target = resolve(root, process.env['CARGO_TARGET_DIR'] ?? 'target');

/** Makes the project. `cargo xtask package npm` comes before. */
export function makeProject() {
  const project = mkdtempSync(join(tmpdir(), 'snapshot-npm-'));
  const installed = join(project, 'node_modules/snapshot-codec');
  const pack = ['pack', '--json', '--pack-destination', project];
  const [{ filename }] = JSON.parse(execFileSync('npm', pack, { cwd: join(target, 'npm'), stdio: ['ignore', 'pipe', 'ignore'] }));
  mkdirSync(installed, { recursive: true });
  execFileSync('tar', ['-xzf', join(project, filename), '-C', installed, '--strip-components=1']);
  writeFileSync(join(project, 'package.json'), '{ "type": "module", "private": true }');
  return { project, installed, remove: () => rmSync(project, { recursive: true }) };
}
