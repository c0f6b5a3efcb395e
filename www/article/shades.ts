// Colours of cubes by a value, on a logarithmic scale (crate/web/src/views/tint.rs).

const STOPS = [
  [0.82, 0.82, 0.84],
  [0.98, 0.78, 0.28],
  [0.87, 0.35, 0.32],
  [0.42, 0.1, 0.46],
] as const;

/** Values of the first and of the last colour: mm, and bits. */
const SCALES = { error: [2, 200], bits: [4, 100] } as const;

export function shadeOf(value: number, shade: keyof typeof SCALES): [number, number, number] {
  const [least, most] = SCALES[shade];
  const part = Math.log(Math.max(value, least) / least) / Math.log(most / least);
  const place = Math.min(1, Math.max(0, part)) * (STOPS.length - 1);
  const stop = Math.min(Math.floor(place), STOPS.length - 2);
  const mix = (i: 0 | 1 | 2): number => {
    const [low, high] = [STOPS[stop]?.[i] ?? 0, STOPS[stop + 1]?.[i] ?? 0];
    return low + (high - low) * (place - stop);
  };
  return [mix(0), mix(1), mix(2)];
}
