// What a client drew, as lane B over the motion of its server.

import { lab } from '../lab';
import { keepFile } from '../links/files';
import { shortName } from '../shell/names';
import type { Answer } from './file-tasks';
import { start } from './file-work';
import { play } from './play';
import { isReading, nowReading } from './reading';

type Compared = Extract<Answer, { recording: unknown }>;

/** Has a Worker judge a client by its server. `taken` are options that change the client's positions. Returns how to end it. */
export function judgeClient(server: File, client: File, taken: string, hear: (answer: Answer) => void): () => void {
  return start({ compare: [server, client], jumpsOver: lab.viewState.jumps_over, taken }, hear);
}

/** Shows a judged client, and plays its server's motion first where that is not what plays. */
export function showClient(server: File, client: File, { compared, recording }: Compared): void {
  if (!lab.showClient(client, compared, recording) && !isReading('motion')) void play(server);
  void keepFile('client', client);
}

/** Shows again a client that the link names, beside its server's file. */
export function bringBackClient(client: File, server: File | undefined): void {
  if (server === undefined) return;
  const judge = (taken: string): (() => void) =>
    judgeClient(server, client, taken, (answer) => {
      if ('comparing' in answer) return;
      // The link is of a client that was shown, so the person has taken it so.
      if ('question' in answer && taken === '') {
        nowReading('client', { name: shortName(client.name), end: judge(answer.options) });
        return;
      }
      nowReading('client');
      if ('compared' in answer) showClient(server, client, answer);
      if ('refused' in answer) lab.notify([answer.refused]);
    });
  const end = judge('');
  nowReading('client', { name: shortName(client.name), end });
}
