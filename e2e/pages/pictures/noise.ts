/** Smooth pseudo-random values over the plane, in [0, 1]. */
export type Noise = (x: number, y: number) => number;

/** Value noise: random values at whole coordinates, smoothly blended between them. */
export function createNoise(seed: number): Noise {
  const corner = (x: number, y: number): number => {
    let h = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ seed;
    h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
    return ((h ^ (h >>> 13)) >>> 0) / 2 ** 32;
  };
  return (x, y) => {
    const left = Math.floor(x);
    const top = Math.floor(y);
    const fx = smooth(x - left);
    const fy = smooth(y - top);
    const upper = mix(corner(left, top), corner(left + 1, top), fx);
    const lower = mix(corner(left, top + 1), corner(left + 1, top + 1), fx);
    return mix(upper, lower, fy);
  };
}

/** Sums octaves of noise, each twice as fine and half as strong: clouds, hills, stone. */
export function fractal(noise: Noise, octaves: number): Noise {
  const total = 2 - 2 ** (1 - octaves);
  return (x, y) => {
    let sum = 0;
    let strength = 1;
    let scale = 1;
    for (let octave = 0; octave < octaves; octave++) {
      sum += strength * noise(x * scale, y * scale + octave * 17);
      strength /= 2;
      scale *= 2;
    }
    return sum / total;
  };
}

export function mix(a: number, b: number, t: number): number {
  return a + (b - a) * t;
}

/** The cubic with flat ends. */
export function smooth(t: number): number {
  const c = Math.min(1, Math.max(0, t));
  return c * c * (3 - 2 * c);
}
