// A slider's places for numbers of any size: one by one near zero, and farther apart the farther they are.

/** Up to here every number has a place. */
const SINGLE = 32;
/** Places to twice the number, beyond that. */
const TO_TWICE = 16;

export class Places {
  /** The last place; the first is minus it. */
  readonly most: number;

  constructor(private readonly mostValue: number) {
    this.most = this.place(mostValue);
  }

  place(value: number): number {
    const size = Math.abs(value);
    const place = size <= SINGLE ? size : SINGLE + Math.round(TO_TWICE * Math.log2(size / SINGLE));
    return Math.sign(value) * place;
  }

  value(place: number): number {
    const size = Math.abs(place);
    const value = size <= SINGLE ? size : Math.round(SINGLE * 2 ** ((size - SINGLE) / TO_TWICE));
    return Math.sign(place) * Math.min(value, this.mostValue);
  }
}
