import { type Random } from '../random.ts';
import { along, colour, mixColours, shade, type Colour } from './colour.ts';
import { createNoise, fractal, smooth, type Noise } from './noise.ts';

/** Light of a time of day. */
interface Light {
  /** From the zenith to the horizon. */
  readonly sky: readonly Colour[];
  readonly sun: Colour;
  readonly far: Colour;
  readonly near: Colour;
  readonly ground: Colour;
}

const light = (sky: string[], sun: string, far: string, near: string, ground: string): Light => ({
  sky: sky.map(colour),
  sun: colour(sun),
  far: colour(far),
  near: colour(near),
  ground: colour(ground),
});

const LIGHTS: readonly Light[] = [
  light(['#27496d', '#6f9bc4', '#f3d9b8'], '#fff3d0', '#8fa7bd', '#2b3d3a', '#4c5a34'),
  light(['#1f6fb2', '#6fb1e0', '#d9ecf5'], '#ffffff', '#8db3cc', '#2f5a3c', '#6d8c3e'),
  light(['#2b1f4a', '#b2506a', '#f8b26a'], '#ffe0a0', '#8a5a78', '#2a1c30', '#3a2a2c'),
  light(['#4a545e', '#87929c', '#c9ced1'], '#e8eaea', '#8d979d', '#333d3f', '#55604f'),
  light(['#0b1026', '#1d2b55', '#4a5a86'], '#dfe6ff', '#2d3a60', '#0a0e1c', '#10182c'),
  light(['#3a8f9c', '#9fd6cf', '#fbe8c6'], '#fff8dc', '#7fb0a6', '#1f4a44', '#c2a66a'),
];

/** What lies at the feet of the hills. */
type Foreground = 'water' | 'meadow' | 'forest';
const FOREGROUNDS: readonly Foreground[] = ['water', 'meadow', 'forest'];

interface Scene {
  readonly width: number;
  readonly height: number;
  readonly light: Light;
  readonly foreground: Foreground;
  readonly horizon: number;
  readonly sunX: number;
  readonly sunY: number;
  readonly cloudiness: number;
  readonly grain: number;
  /** For each ridge, far to near: the row at which it begins, by column. */
  readonly ridges: readonly Float32Array[];
  readonly noise: Noise;
  readonly texture: Noise;
}

/** Draws a photograph-like landscape as packed RGB. More grain makes a larger JPEG. */
export function drawLandscape(random: Random, width: number, height: number): Uint8Array {
  const scene = arrange(random, width, height);
  const pixels = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [red, green, blue] = colourAt(scene, x, y);
      const grain = (random.next() - 0.5) * scene.grain;
      const at = (y * width + x) * 3;
      pixels[at] = clamp(red + grain);
      pixels[at + 1] = clamp(green + grain);
      pixels[at + 2] = clamp(blue + grain);
    }
  }
  return pixels;
}

function arrange(random: Random, width: number, height: number): Scene {
  const noise = createNoise(random.whole(1, 2 ** 31));
  const hills = fractal(noise, 6);
  const horizon = height * random.between(0.42, 0.62);
  const foreground = random.pick(FOREGROUNDS);
  const ridgeCount = random.whole(2, 5);
  const ridges = Array.from({ length: ridgeCount }, (_, index) => {
    const depth = (index + 1) / ridgeCount;
    const relief = height * random.between(0.12, 0.3) * (1.1 - 0.6 * depth);
    const stretch = random.between(2, 4.5) * (0.7 + depth);
    const base = horizon + height * 0.1 * depth;
    return Float32Array.from({ length: width }, (_unused, x) => base - relief * (hills((x / width) * stretch, index * 31) - 0.25));
  });
  const nearest = ridges[ridgeCount - 1];
  if (nearest !== undefined && foreground === 'forest') plantTrees(nearest, random, height);
  return {
    width,
    height,
    light: random.pick(LIGHTS),
    foreground,
    horizon,
    sunX: width * random.between(0.15, 0.85),
    sunY: horizon * random.between(0.35, 0.95),
    cloudiness: random.between(0, 0.75),
    grain: random.between(4, 34),
    ridges,
    noise: fractal(noise, 4),
    texture: fractal(noise, 3),
  };
}

/** Spruces: a row of narrow triangles of uneven height. */
function plantTrees(ridge: Float32Array, random: Random, height: number): void {
  const spacing = Math.max(3, height * 0.018);
  const soil = Float32Array.from(ridge);
  for (let centre = 0; centre < ridge.length; centre += spacing * random.between(0.4, 1.1)) {
    const tall = height * random.between(0.04, 0.13);
    const foot = soil[Math.floor(centre)] ?? 0;
    const half = tall * 0.2;
    for (let x = Math.max(0, Math.ceil(centre - half)); x < Math.min(ridge.length, centre + half); x++) {
      const top = foot - tall * (1 - Math.abs(x - centre) / half);
      ridge[x] = Math.min(ridge[x] ?? top, top);
    }
  }
}

function colourAt(scene: Scene, x: number, y: number): Colour {
  for (let index = scene.ridges.length - 1; index >= 0; index--) {
    const top = scene.ridges[index]?.[x] ?? scene.height;
    if (y >= top) return index === scene.ridges.length - 1 ? foregroundAt(scene, x, y, top) : hillAt(scene, x, y, index);
  }
  return skyAt(scene, x, y);
}

function skyAt(scene: Scene, x: number, y: number): Colour {
  const height = y / scene.horizon;
  const clear = along(scene.light.sky, height);
  const distance = Math.hypot(x - scene.sunX, y - scene.sunY) / scene.height;
  const glow = Math.exp(-distance * 5) * 0.7 + smooth((0.034 - distance) * 300) * 0.8;
  const cloud = smooth((scene.noise((x / scene.height) * 2.2, (y / scene.height) * 7) - 0.75 + scene.cloudiness * 0.35) * 5);
  const lit = mixColours(clear, scene.light.sun, Math.min(1, glow));
  return mixColours(lit, mixColours(scene.light.sun, clear, 0.35), cloud * 0.7);
}

/** Air between the eye and a hill takes its contrast and lends it its own colour. */
function hillAt(scene: Scene, x: number, y: number, index: number): Colour {
  const depth = (index + 1) / scene.ridges.length;
  const body = mixColours(scene.light.far, scene.light.near, depth);
  const relief = scene.texture((x / scene.height) * 14, (y / scene.height) * 26);
  return shade(body, 1 + (relief - 0.5) * 0.7 * depth);
}

function foregroundAt(scene: Scene, x: number, y: number, top: number): Colour {
  const { light: colours, height } = scene;
  const below = (y - top) / Math.max(1, height - top);
  const fine = scene.texture((x / height) * 40, (y / height) * 60);
  switch (scene.foreground) {
    case 'water': {
      const ripple = (scene.texture((x / height) * 9, (y / height) * 70) - 0.5) * height * 0.06 * (0.3 + below);
      const mirrored = skyAt(scene, x, Math.max(0, top - (y - top) * 0.8 + ripple));
      return shade(mixColours(mirrored, colours.near, 0.2 + below * 0.35), 0.85 + (fine - 0.5) * 0.3);
    }
    case 'meadow': {
      const field = mixColours(colours.near, colours.ground, smooth(below * 1.6));
      const furrows = scene.texture((x / height) * (4 + 8 * below), (y / height) * 90);
      return shade(field, 0.6 + furrows * 0.45 + fine * 0.35);
    }
    case 'forest':
      return shade(colours.near, 0.5 + fine * 0.45 + below * 0.3);
  }
}

function clamp(value: number): number {
  return Math.min(255, Math.max(0, Math.round(value)));
}
