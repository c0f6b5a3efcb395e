// Overrides of packets: by button, and by keys on the packets and on the line of time.

import type { Packet } from '../../pkg/snapshot_web';
import { lab } from '../lab';
import { keyName } from '../shell/keys';

/** The keys that set an override: true delivers the packet. */
const KEYS: Readonly<Record<string, boolean>> = { delete: false, x: false, s: true };

/** Puts a B beside A with this override of a packet. The focus leaves a figure that is hidden now. */
export function setOverride({ number }: Packet, delivered: boolean): void {
  lab.whatIf(number, delivered);
  if (document.activeElement?.closest('[role=tabpanel][hidden]') != null)
    document.querySelector<HTMLElement>('#figure-compare')?.focus({ preventScroll: true });
}

/** Sets the override that a key asks for. Returns a sentence about the result. */
export function overrideByKey(event: KeyboardEvent): string | undefined {
  const delivered = event.ctrlKey || event.metaKey || event.altKey ? undefined : KEYS[keyName(event)];
  if (delivered === undefined) return undefined;
  event.preventDefault();
  const packet = chosenPacket();
  if (packet === undefined) return 'Not a packet yet.';
  if ((packet.fate === 'lost') !== delivered) return `Packet ${packet.number} ${delivered ? 'is not lost' : 'is lost already'}.`;
  if (lab.running) lab.pause(true);
  setOverride(packet, delivered);
  return `In B packet ${packet.number} ${delivered ? 'arrives' : 'is lost'}.`;
}

/** The one that is looked at or, if none, the newest that has left. */
function chosenPacket(): Packet | undefined {
  const { first, last, at } = lab.now;
  const packets = lab.ask({ traffic: { lane: 'a', from: first, to: last } })?.packets ?? [];
  return packets.find(({ number }) => number === lab.viewState.packet) ?? packets.findLast(({ tick }) => tick <= at);
}
