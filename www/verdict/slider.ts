// Sliders whose steps are ratios.

/** Two or three digits, of small numbers too. */
export function digits(value: number): string {
  if (value === 0) return '0';
  return value < 1 ? value.toPrecision(2) : value < 10 ? value.toFixed(1) : value.toFixed(0);
}

/** The step at which a value stands between two ends. */
export function place(value: number, least: number, most: number, steps: number): number {
  if (!(most > least && least > 0)) return 0;
  return Math.round((steps * Math.log(Math.min(Math.max(value, least), most) / least)) / Math.log(most / least));
}

/** The value at a step. */
export function valueAt(step: number, least: number, most: number, steps: number): number {
  return least * (most / least) ** (step / steps);
}
