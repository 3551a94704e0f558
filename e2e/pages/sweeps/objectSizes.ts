import { type Random } from '../random.ts';

/** What the smallest picture has room for: headers and tables of a JPEG file, and some pixels. */
export const MIN_OBJECT_BYTES = 1_000;

/** Enough for two draws that differ by a billionth: the larger of them has everything then. */
const MAX_SPREAD = 2 ** 40;
const HALVINGS = 60;

/**
 * Sizes of a page's objects, log-normal above MIN_OBJECT_BYTES, as sizes of web objects commonly are. The draw decides which object is large; mean and standard deviation
 * are exactly those asked for (the deviation of these sizes themselves, not of what they were drawn from), so that two pages of a sweep differ in what is swept alone.
 *
 * @param sdBytes 0 for objects of one size
 * @returns whole bytes, in no order; their sum is `count * meanBytes`, their deviation within half a byte of `sdBytes`
 * @throws RangeError when so few objects can not differ so much, or the mean leaves no room for smaller ones
 */
export function objectSizes(random: Random, count: number, meanBytes: number, sdBytes: number): number[] {
  if (sdBytes === 0) return Array.from({ length: count }, () => meanBytes);
  const roomBytes = meanBytes - MIN_OBJECT_BYTES;
  // The largest deviation there is: one object has everything.
  if (sdBytes >= roomBytes * Math.sqrt(count - 1)) {
    throw new RangeError(`${count} objects of ${MIN_OBJECT_BYTES} bytes or more can not have a mean of ${meanBytes} and a deviation of ${sdBytes} bytes`);
  }
  const normal = Array.from({ length: count }, () => standardNormal(random));
  const largest = Math.max(...normal);
  // Relative to the largest, so that no spread overflows.
  const weightsOf = (spread: number): number[] => scaledToMean(normal.map((value) => Math.exp(spread * (value - largest))), roomBytes);
  // The more the logarithms are spread, the more the sizes are. How much it takes is up to how close the largest draws are.
  let high = 1;
  while (deviation(weightsOf(high)) < sdBytes && high < MAX_SPREAD) high *= 2;
  let low = high === 1 ? 0 : high / 2;
  for (let halving = 0; halving < HALVINGS; halving++) {
    const middle = (low + high) / 2;
    if (deviation(weightsOf(middle)) < sdBytes) low = middle;
    else high = middle;
  }
  return wholeNumbers(weightsOf(low).map((bytes) => bytes + MIN_OBJECT_BYTES));
}

/** Of the numbers themselves, not of a population that they are a sample of. */
export function deviation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length);
}

/** Box and Muller 1958. */
function standardNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function scaledToMean(values: readonly number[], mean: number): number[] {
  const factor = (mean * values.length) / values.reduce((sum, value) => sum + value, 0);
  return values.map((value) => value * factor);
}

/** Rounded so that the sum stays: what each number leaves over goes to the next. */
function wholeNumbers(values: readonly number[]): number[] {
  let exact = 0;
  let given = 0;
  return values.map((value) => {
    exact += value;
    const whole = Math.round(exact) - given;
    given += whole;
    return whole;
  });
}
