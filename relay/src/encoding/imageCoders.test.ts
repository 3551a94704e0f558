import { expect, it } from 'vitest';
import type { ImageJob } from './encodeImage.ts';
import { ImageCoders } from './imageCoders.ts';

/** Dies of each GIF, and makes nothing smaller. */
const CODER = [process.execPath, '--eval', "process.send({ ready: true }); process.on('message', ({ kind }) => (kind === 'gif' ? process.exit(1) : process.send({ encoded: null })))"];
const MAX_DEATHS = 2;

/** Makes nothing smaller, when it is told to. */
const SLOW_CODER = [process.execPath, '--eval', "process.send({ ready: true }); process.on('message', () => setTimeout(() => process.send({ encoded: null }), 50))"];

it('what has become more urgent while it waits is encoded first', async () => {
  const coders = new ImageCoders(SLOW_CODER, 1, () => undefined);
  await expect.poll(() => coders.isThere).toBe(true);
  const levels = [5, 5, 5, 5];
  const done: number[] = [];
  const all = levels.map(async (_, place) => {
    await coders.encode({ bytes: Buffer.alloc(1), kind: 'png', types: [], limitMs: 1_000 }, () => levels[place] ?? 0, new AbortController().signal);
    done.push(place);
  });
  levels[3] = 2;
  await Promise.all(all);
  coders.close();
  expect(done).toEqual([0, 3, 1, 2]);
});

it('coders that die are replaced for as long as there are some that work, and then no more', async () => {
  const said: string[] = [];
  const coders = new ImageCoders(CODER, 1, ({ message }) => said.push(message), MAX_DEATHS);
  const encode = async (kind: ImageJob['kind']): Promise<void> => {
    await expect.poll(() => coders.isThere).toBe(true);
    await coders.encode({ bytes: Buffer.alloc(1), kind, types: [], limitMs: 1_000 }, () => 0, new AbortController().signal);
  };
  for (const kind of ['gif', 'png', 'gif', 'png', 'gif'] as const) await encode(kind);
  expect(said).toEqual([]);
  await encode('gif');
  await expect.poll(() => said).toEqual(['images are not encoded']);
  expect(coders.isThere).toBe(false);
  coders.close();
});
