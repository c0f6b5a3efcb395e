// The Worker of files: one task, and all that there is to hear of it. Whoever gave it ends the Worker, also in the middle.

import init, { type Contested, convert, type Judged, loadRest, look_up, on_panic, type Wishes, Work } from '../../pkg/snapshot_web';
import { isOutOfMemory } from '../shell/failure';
import { visible } from '../shell/names';
import { decide, wish } from '../verdict/decide';
import { pack, unpack } from './archive';
import type { Answer, Capture, Megabytes, Minute, Task } from './file-tasks';

addEventListener('message', ({ data }: MessageEvent<Task | { wishes: Wishes }>) => {
  if ('wishes' in data) wish(data.wishes);
  else void perform(data);
});

async function perform(task: Task): Promise<void> {
  try {
    await init();
    await loadRest();
    let panicked = '';
    on_panic((message: string) => (panicked = message));
    try {
      if ('judge' in task) contest(await begun(task.judge));
      else if ('read' in task) read(task.read, task.jumpsOver);
      else if ('trace' in task) parse(task.trace);
      else if ('save' in task) tell({ packed: pack(task.save) });
      else if ('open' in task) open(task.open, task.most);
      else if ('compare' in task) compare(task.jumpsOver, task.taken, await Promise.all(task.compare.map(bytesOf)));
      else if ('decide' in task) await decide(task.decide, (decided) => tell({ decided }));
      else tell({ packed: convert('pack', task.pack) as Minute });
    } catch (error) {
      // A trap says less than the panic that it ends.
      if (panicked !== '') throw new Error(`${panicked}. That is a mistake of ours`);
      if (isOutOfMemory(error)) throw new Error('There is not enough memory: close other pages, or take a shorter file');
      throw error;
    }
  } catch (error) {
    tell({ refused: visible(error instanceof Error ? error.message : String(error)) });
  }
}

async function begun(capture: Capture): Promise<Work> {
  if (!(capture instanceof File)) return new Work('last_minute', [capture]);
  return new Work('challenge', [await bytesOf(capture)]);
}

/** A file that is too long is refused without being read to its end. */
async function bytesOf(file: File): Promise<Uint8Array> {
  const most = look_up('capture_bytes_max', new Uint8Array());
  return new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
}

function contest(work: Work): void {
  const report = (): void => tell({ progress: work.progress() as Contested });
  for (report(); work.work(0); report());
  report();
}

function compare(jumps_over: number, taken: string, files: Uint8Array[]): void {
  const work = new Work({ judge: { jumps_over, taken } }, files, (comparing: number) => tell({ comparing }));
  const judged = work.progress() as Judged;
  if ('question' in judged) {
    tell(judged.question);
    return;
  }
  const recording = work.part(0) as Minute;
  // Objects are named in files.
  const lists = judged.words.lists.map(([name, all]): [string, string] => [name, visible(all)]);
  tell({ compared: { ...judged.words, lists }, recording }, [recording.buffer]);
}

function open(archive: Minute, most: Megabytes): void {
  const saved = unpack(archive, most);
  const files = [saved.motion, saved.trace, saved.client].flatMap((file) => (file === undefined ? [] : [file.bytes.buffer]));
  tell({ saved }, files);
}

function parse(file: Uint8Array): void {
  const parsed = convert('trace', file) as Minute;
  tell({ parsed }, [parsed.buffer]);
}

/** Tells of a motion in parts, each small enough for a frame of the page. */
function read(file: Uint8Array, jumpsOver: number): void {
  const motion = new Work({ read: { jumps_over: jumpsOver } }, [file]);
  let part: Minute | undefined;
  for (let number = 0; (part = motion.part(number) as Minute | undefined) !== undefined; number += 1) tell({ part }, [part.buffer]);
  tell({ part });
}

function tell(answer: Answer, given: Transferable[] = []): void {
  postMessage(answer, { transfer: given });
}
