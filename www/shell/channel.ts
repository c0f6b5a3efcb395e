// Channels between the tabs and frames of this site in one browser. Those of other sites have their own.

/** Opens a channel; undefined where there is none, or where the frame may not have one. */
export function openChannel(name: string): BroadcastChannel | undefined {
  try {
    return new BroadcastChannel(name);
  } catch {
    return undefined;
  }
}
