// The workbench for a jitter buffer: a person's JavaScript runs in a Worker of a frame without an origin (bench.js) against a motion and a
// network of the lab, and is scored beside the lab's own buffer.

import init, { Page } from '../../pkg/snapshot_web';
import harness from './score.js?raw';

/** The motion and the network: what the lab's own buffer is measured on as well. */
const LINK = 'scene=katamari&grid=14&codec=changed-flags&hz=10&jitter=33&loss=5&interp=linear&delay=150&seed=3';
const TICKS = 900;
const TICK_MS = 1000 / 60;
/** A buffer that takes longer does not end. */
const PATIENCE_MS = 10_000;

interface Row {
  name: string;
  still: number;
  behindMs: number;
  errorMm: number;
}

const [code, run, said, table, bench] = ['#code', '#run', '#said', '#scores tbody', '#bench'].map((selector) => document.querySelector(selector)) as [
  HTMLTextAreaElement,
  HTMLButtonElement,
  HTMLElement,
  HTMLElement,
  HTMLIFrameElement,
];

let task: { tickMs: number; cubes: number; truth: Float32Array[]; snapshots: { tick: number; arrival: number; poses: Float32Array }[] } | undefined;

/** Plays the motion once: the truth of every tick, the arrivals, and the lab's own row. */
async function record(): Promise<void> {
  await init();
  const page = new Page(LINK);
  const truth = [page.truth()];
  for (let tick = 1; tick < TICKS; tick++) {
    page.tick(0);
    truth.push(page.truth());
  }
  const packets = page.traffic('a', 0, TICKS)?.packets ?? [];
  const snapshots = packets.flatMap(({ tick, arrival_ms }) => {
    const poses = truth[tick];
    return arrival_ms === null || poses === undefined ? [] : [{ tick, arrival: arrival_ms, poses }];
  });
  task = { tickMs: TICK_MS, cubes: (truth[0]?.length ?? 0) / 4, truth, snapshots };
  const report = page.report() as { still_ms: number; behind_ms_mean: number; position_error_mm: { rms: number } };
  add({
    name: 'The lab: linear, 150 ms',
    still: report.still_ms / TICK_MS,
    behindMs: report.behind_ms_mean,
    errorMm: report.position_error_mm.rms,
  });
  page.free();
}

function add({ name, still, behindMs, errorMm }: Row): void {
  const row = document.createElement('tr');
  const head = document.createElement('th');
  head.scope = 'row';
  head.textContent = name;
  const cells = [Math.round(still).toString(), `${Math.round(behindMs)} ms`, `${errorMm.toFixed(1)} mm`].map((text) => {
    const cell = document.createElement('td');
    cell.textContent = text;
    return cell;
  });
  row.append(head, ...cells);
  table.append(row);
}

/** Has the frame without an origin run the code. Any answer but three numbers is an error. */
function score(): Promise<Omit<Row, 'name'>> {
  const text = `${code.value}\n;${harness}\nonmessage = ({ data }) => postMessage(scoreBuffer(data, receive, show));`;
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve, reject) => {
    port1.onmessage = ({ data }: MessageEvent<string | undefined>) => {
      port1.close();
      const {
        still,
        behindMs,
        errorMm,
        error = 'Its answer is no score.',
      } = (JSON.parse(data ?? 'null') ?? {}) as Partial<Record<keyof Row | 'error', unknown>>;
      if ([still, behindMs, errorMm].every(Number.isFinite)) resolve({ still, behindMs, errorMm } as Row);
      else reject(new Error(String(error)));
    };
    // A frame without an origin can be named by none.
    bench.contentWindow?.postMessage({ text, task, patienceMs: PATIENCE_MS }, '*', [port2]);
  });
}

let runs = 0;
run.addEventListener('click', async () => {
  run.disabled = true;
  said.textContent = 'Running…';
  try {
    const result = await score();
    runs += 1;
    add({ name: `Yours, run ${runs}`, ...result });
    said.textContent = `Run ${runs}: ${result.still} still frames, ${Math.round(result.behindMs)} ms behind, ${result.errorMm.toFixed(1)} mm off.`;
  } catch (error) {
    said.textContent = (error as Error).message;
  }
  run.disabled = false;
});

record().then(
  () => {
    said.textContent = '';
    run.disabled = false;
  },
  (error: unknown) => {
    said.textContent = `The laboratory could not be loaded: ${String(error)}`;
  },
);
