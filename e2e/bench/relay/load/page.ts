import type { Duplex } from 'node:stream';
import type { Random } from '../../../../shared/src/statistics/random.ts';

/** A request says the length of its answer. */
export const LENGTH_BYTES = 4;
/** Of objects of pages, from small to large (HTTP Archive: half are below 10 kB). */
const OBJECT_BYTES = [500, 1_500, 3_000, 5_000, 8_000, 12_000, 20_000, 40_000, 90_000] as const;
export const MAX_OBJECT_BYTES = 90_000;
/** Of a page: it asks so many servers, each for so many objects, one after the other. */
const [SERVERS, OBJECTS_OF_SERVER] = [6, 6];

/** A way to a server that may be spoken on, and how to leave it. */
export interface OpenWay {
  readonly way: Duplex;
  readonly close: () => void;
}

/** The same objects by both ways, one after the other; milliseconds, the first object of a server with its connection. */
export interface ObjectTime {
  readonly relayedMs: number;
  readonly directMs: number;
}

/** Loads a page by both ways. @throws when a way is refused, or ends before the answer */
export async function loadPage(open: { readonly relayed: () => Promise<OpenWay>; readonly direct: () => Promise<OpenWay> }, random: Random): Promise<ObjectTime[]> {
  const times = await Promise.all(Array.from({ length: SERVERS }, async () => {
    const lengths = Array.from({ length: OBJECTS_OF_SERVER }, () => OBJECT_BYTES[Math.floor(random() * OBJECT_BYTES.length)] ?? MAX_OBJECT_BYTES);
    const relayed = await timesOf(open.relayed, lengths);
    const direct = await timesOf(open.direct, lengths);
    return lengths.map((_, place): ObjectTime => ({ relayedMs: relayed[place] ?? Number.NaN, directMs: direct[place] ?? Number.NaN }));
  }));
  return times.flat();
}

async function timesOf(open: () => Promise<OpenWay>, lengths: readonly number[]): Promise<number[]> {
  let startMs = performance.now();
  const { way, close } = await open();
  const times: number[] = [];
  for (const length of lengths) {
    await ask(way, length);
    const nowMs = performance.now();
    times.push(nowMs - startMs);
    startMs = nowMs;
  }
  close();
  return times;
}

function ask(way: Duplex, length: number): Promise<void> {
  const request = Buffer.alloc(LENGTH_BYTES);
  request.writeUInt32BE(length);
  way.write(request);
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const over = (): void => reject(new Error('a way has ended before its answer'));
    const take = (chunk: Buffer): void => {
      bytes += chunk.length;
      if (bytes < length) return;
      way.off('data', take);
      way.off('close', over);
      resolve();
    };
    way.on('data', take);
    way.once('close', over);
  });
}
