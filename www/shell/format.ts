// Numbers for people.

const grouped = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A count: 17,370. */
export function count(value: number): string {
  return grouped.format(value);
}

/** Writes a number with few digits, readable while it changes: 0.42, 7.3, 56, 1,204. */
export function measure(value: number): string {
  if (!Number.isFinite(value)) return '–';
  if (value === 0) return '0';
  if (value < 0) return Math.abs(value) < 0.005 ? '0.00' : `-${measure(-value)}`;
  if (value < 1) return value.toFixed(2);
  if (value < 10) return value.toFixed(1);
  return count(value);
}

/** A send rate: 1 packet a second, 20 packets a second. */
export function packetsASecond(hz: string | undefined): string {
  return `${hz} packet${hz === '1' ? '' : 's'} a second`;
}

/** A rate in the unit that keeps it short. */
export function rate(kbps: number): { value: string; unit: string } {
  if (kbps >= 10_000) return { value: (kbps / 1000).toFixed(1), unit: 'Mbit/s' };
  if (kbps >= 1000) return { value: (kbps / 1000).toFixed(2), unit: 'Mbit/s' };
  return { value: kbps < 100 ? kbps.toFixed(1) : count(kbps), unit: 'kbit/s' };
}

export function rateText(kbps: number): string {
  const { value, unit } = rate(kbps);
  return `${value} ${unit}`;
}

/** A relation, before what it is to: 31 % of; 738 times. */
export function partOf(part: number): string {
  return part >= 10 ? `${count(part)} times` : `${percent(part)} of`;
}

export function percent(part: number): string {
  const value = part * 100;
  return `${value > 0 && value < 9.95 ? value.toFixed(1) : Math.round(value)} %`;
}

/** A time of milliseconds, or of seconds where it is long. */
export function duration(ms: number): string {
  return ms >= 1000 ? `${measure(ms / 1000)} s` : `${Math.round(ms)} ms`;
}
