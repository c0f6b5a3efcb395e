// The Worker of files: one task, and all that there is to hear of it. Whoever gave it ends the Worker, also in the middle.

import init, { Contest, capture_bytes_max, JudgedClient, loadRest, on_panic, pack_last_minute, parse_trace, ReadMotion } from '../../pkg/snapshot_web';
import { isOutOfMemory } from '../shell/failure';
import { visible } from '../shell/names';
import { decide, wish } from '../verdict/decide';
import { pack, unpack } from './archive';
import type { Answer, Capture, Megabytes, Minute, Task, Wishes } from './file-tasks';

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
      if ('judge' in task) judge(await contest(task.judge));
      else if ('read' in task) read(task.read, task.jumpsOver);
      else if ('trace' in task) parse(task.trace);
      else if ('save' in task) tell({ packed: pack(task.save) });
      else if ('open' in task) open(task.open, task.most);
      else if ('compare' in task) compare(task.jumpsOver, task.taken, ...((await Promise.all(task.compare.map(bytesOf))) as [Uint8Array, Uint8Array]));
      else if ('decide' in task) await decide(task.decide, (decided) => tell({ decided }));
      else tell({ packed: pack_last_minute(task.pack) as Uint8Array<ArrayBuffer> });
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

async function contest(capture: Capture): Promise<Contest> {
  if (!(capture instanceof File)) return Contest.of_last_minute(capture);
  return Contest.of_file(await bytesOf(capture));
}

/** A file that is too long is refused without being read to its end. */
async function bytesOf(file: File): Promise<Uint8Array> {
  return new Uint8Array(await file.slice(0, capture_bytes_max() + 1).arrayBuffer());
}

function judge(contest: Contest): void {
  const packets = contest.packets();
  const report = (): void => tell({ progress: { judged: contest.judged(), packets, verdicts: contest.verdicts() } });
  for (report(); contest.judged() < packets; report()) contest.judge_next();
}

function compare(jumpsOver: number, taken: string, server: Uint8Array, client: Uint8Array): void {
  const judged = new JudgedClient(server, client, jumpsOver, taken, (comparing: number) => tell({ comparing }));
  const [question, options] = [judged.question(), judged.options()];
  if (question !== undefined && options !== undefined) tell({ question, options });
  const words = judged.words();
  if (words === undefined) return;
  const recording = judged.recording() as Minute;
  const { lists } = words;
  // Objects are named in files.
  const compared = { ...words, lists: lists.map(([name, all]): [string, string] => [name, visible(all)]) };
  tell({ compared, recording }, [recording.buffer]);
}

function open(archive: Minute, most: Megabytes): void {
  const saved = unpack(archive, most);
  const files = [saved.motion, saved.trace, saved.client].flatMap((file) => (file === undefined ? [] : [file.bytes.buffer]));
  tell({ saved }, files);
}

function parse(file: Uint8Array): void {
  const parsed = parse_trace(file) as Minute;
  tell({ parsed }, [parsed.buffer]);
}

/** Tells of a motion in parts, each small enough for a frame of the page. */
function read(file: Uint8Array, jumpsOver: number): void {
  const motion = new ReadMotion(file, jumpsOver);
  let part: Uint8Array<ArrayBuffer> | undefined;
  for (let number = 0; (part = motion.part(number) as Uint8Array<ArrayBuffer> | undefined) !== undefined; number += 1) tell({ part }, [part.buffer]);
  tell({ part });
}

function tell(answer: Answer, given: Transferable[] = []): void {
  postMessage(answer, { transfer: given });
}
