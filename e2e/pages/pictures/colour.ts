import { mix } from './noise.ts';

export type Colour = readonly [red: number, green: number, blue: number];

/** Reads "#rrggbb". */
export function colour(hex: string): Colour {
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

export function mixColours(a: Colour, b: Colour, t: number): Colour {
  return [mix(a[0], b[0], t), mix(a[1], b[1], t), mix(a[2], b[2], t)];
}

/** Brighter above 1, darker below. */
export function shade(c: Colour, factor: number): Colour {
  return [c[0] * factor, c[1] * factor, c[2] * factor];
}

/** A colour along a row of evenly spaced ones. */
export function along(stops: readonly Colour[], t: number): Colour {
  const position = Math.min(1, Math.max(0, t)) * (stops.length - 1);
  const index = Math.min(stops.length - 2, Math.floor(position));
  const from = stops[index];
  const to = stops[index + 1];
  if (from === undefined || to === undefined) throw new RangeError('a gradient needs two colours');
  return mixColours(from, to, position - index);
}
