import { gzipSync } from 'node:zlib';
import { seededRandom, type Random } from '../../../shared/src/statistics/random.ts';

/** How a server gives an object: with a strong tag and parts of it; with a weak tag; without any, in chunks; in gzip. */
const KINDS = ['tagged', 'weak', 'chunked', 'gzip'] as const;

export interface PageObject {
  readonly path: string;
  readonly kind: (typeof KINDS)[number];
  /** Which of the page's servers has it. */
  readonly server: number;
  readonly body: Buffer;
  /** As the server sends it. */
  readonly coded: Buffer;
}

export interface Page {
  readonly objects: readonly PageObject[];
  /** What a form of it sends. */
  readonly post: string;
}

export const SERVERS = 3;
const OBJECTS = 20;
/** From small to large (HTTP Archive: half are below 10 kB), with two that a fault can hardly miss. */
const OBJECT_BYTES = [1_500, 4_000, 8_000, 12_000, 20_000, 40_000, 90_000, 200_000] as const;
const WORDS = ['first', 'screen', 'relay', 'page', 'bytes', 'link', 'way'] as const;

/** A page of the run's own making. @param name that no other load has */
export function pageOf(name: string, seed: number): Page {
  const random = seededRandom(seed);
  const objects = Array.from({ length: OBJECTS }, (_, place): PageObject => {
    const kind = KINDS[Math.floor(random() * KINDS.length)] ?? 'chunked';
    const body = textOf(OBJECT_BYTES[Math.floor(random() * OBJECT_BYTES.length)] ?? 0, random);
    return { path: `/${name}/${place}`, kind, server: place % SERVERS, body, coded: kind === 'gzip' ? gzipSync(body) : body };
  });
  return { objects, post: `/${name}/post` };
}

/** Text that compresses as text does, and no two pieces of which are the same. */
function textOf(bytes: number, random: Random): Buffer {
  const lines: string[] = [];
  for (let length = 0; length < bytes;) {
    const line = `${WORDS[Math.floor(random() * WORDS.length)] ?? ''} ${Math.floor(random() * 1e9).toString(36)}\n`;
    lines.push(line);
    length += line.length;
  }
  return Buffer.from(lines.join('')).subarray(0, bytes);
}
