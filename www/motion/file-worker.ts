// The Worker of files: one task, and all that there is to hear of it. Whoever gave it ends the Worker, also in the middle.

import init, { type JudgementWords, type Limits, loadRest, look_up, on_panic, perform, type Told } from '../../pkg/snapshot_web';
import { isOutOfMemory } from '../shell/failure';
import { visible } from '../shell/names';
import { decide, wish } from '../verdict/decide';
import { pack, unpack } from './archive';
import type { Answer, Bytes, Capture, Megabytes, Task } from './file-tasks';
import { made } from './made';

addEventListener('message', ({ data }: MessageEvent<Task | { limits: Limits }>) => {
  if ('limits' in data) wish(data.limits);
  else void carryOut(data);
});

async function carryOut(task: Task): Promise<void> {
  try {
    await init();
    await loadRest();
    let panicked = '';
    on_panic((message: string) => (panicked = message));
    try {
      if ('judge' in task) await contest(task.judge);
      else if ('ask' in task) perform({ answer: { question: task.ask } }, [task.about], tellAs);
      else if ('read' in task) read(task.read, task.jumpsOver);
      else if ('trace' in task) parse(task.trace);
      else if ('save' in task) tell({ packed: pack(task.save) });
      else if ('open' in task) open(task.open, task.most);
      else if ('compare' in task) compare(task.jumpsOver, task.taken, await Promise.all(task.compare.map(bytesOf)));
      else if ('decide' in task) await decide(task.decide, (decided) => tell({ decided }));
      else tell({ packed: made('pack', task.pack) });
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

async function contest(capture: Capture): Promise<void> {
  const isFile = capture instanceof File;
  perform(isFile ? 'challenge' : 'last_minute', [isFile ? await bytesOf(capture) : capture], (told) => {
    if ('contested' in told) tell({ progress: told.contested });
  });
}

/** A file that is too long is refused without being read to its end. */
async function bytesOf(file: File): Promise<Uint8Array> {
  const most = look_up('capture_bytes_max', new Uint8Array());
  return new Uint8Array(await file.slice(0, most + 1).arrayBuffer());
}

function compare(jumps_over: number, taken: string, files: Uint8Array[]): void {
  let compared: JudgementWords | undefined;
  perform({ judge: { jumps_over, taken } }, files, (told) => {
    if ('comparing' in told) tell(told);
    else if ('judged' in told && 'question' in told.judged) tell(told.judged.question);
    else if ('judged' in told && 'words' in told.judged) {
      const { words } = told.judged;
      // Objects are named in files.
      const lists = words.lists.map(([name, all]): [string, string] => [name, visible(all)]);
      compared = { ...words, lists };
    } else if ('recording' in told && compared !== undefined) tell({ compared, recording: told.recording }, [told.recording.buffer]);
  });
}

function open(archive: Bytes, most: Megabytes): void {
  const saved = unpack(archive, most);
  const files = [saved.motion, saved.trace, saved.client].flatMap((file) => (file === undefined ? [] : [file.bytes.buffer]));
  tell({ saved }, files);
}

function parse(file: Bytes): void {
  const parsed = made('trace', file);
  tell({ parsed }, [parsed.buffer]);
}

/** Tells of a motion in parts, each small enough for a frame of the page. */
function read(file: Bytes, jumps_over: number): void {
  perform({ read: { jumps_over } }, [file], (told) => {
    if ('part' in told) tell({ part: told.part }, [told.part.buffer]);
  });
  tell({ part: undefined });
}

function tellAs(told: Told): void {
  if ('answered' in told) tell(told);
}

function tell(answer: Answer, given: Transferable[] = []): void {
  postMessage(answer, { transfer: given });
}
