// Rust's tables and constants, which no setting changes.

import { look_up, type ModeRow, type RungRow, type Tables } from '../pkg/snapshot_web';

let read: Tables | undefined;

/** The tables, read once: the wasm is there by then, and after a failure nothing can be asked of it. */
export function tables(): Tables {
  return (read ??= look_up('tables', new Uint8Array()));
}

/** The row of a mode of interpolation. */
export function modeNamed(name: string | undefined): ModeRow | undefined {
  return tables().modes.find((mode) => mode.name === name);
}

export function rungNamed(name: string | undefined): RungRow | undefined {
  return tables().rungs.find((rung) => rung.name === name);
}
