/** Maps values to places on a drawing. */
export type Scale = (value: number) => number;

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** Steps of axes are these times a power of ten. */
const STEPS = [1, 2, 2.5, 5, 10];
/** Rounding errors of sums of steps. */
const DIGITS = 10;

/**
 * From a span of values to a span of places, which may go downward, as y does in SVG. A span of one value goes to the middle.
 *
 * @param kind `log` needs values above 0; twice as much is then equally far everywhere
 */
export function makeScale(kind: 'linear' | 'log', values: Span, places: Span): Scale {
  const position = kind === 'log' ? Math.log : (value: number): number => value;
  const [low, high] = [position(values.low), position(values.high)];
  return (value) => places.low + (places.high - places.low) * (high === low ? 0.5 : (position(value) - low) / (high - low));
}

/** Round numbers that hold the values between the first and the last of them, at most so many steps apart. */
export function niceTicks({ low, high }: Span, maxSteps: number): number[] {
  const span = high > low ? high - low : 1;
  const magnitude = 10 ** Math.floor(Math.log10(span / maxSteps));
  for (const step of STEPS.map((factor) => factor * magnitude)) {
    const [first, last] = [Math.floor(low / step), Math.ceil((low + span) / step)];
    if (last - first <= maxSteps) return Array.from({ length: last - first + 1 }, (_, place) => Number(((first + place) * step).toFixed(DIGITS)));
  }
  return niceTicks({ low, high }, maxSteps + 1);
}
