import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { EncodedImage, ImageJob } from './encodeImage.ts';
import { HeldImage, PATIENCE_MS } from './heldImage.ts';
import { Room } from '../../../shared/src/node/reading/room.ts';

const JPEG = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(99_997)]);
const FIELDS = ['content-type', 'image/jpeg', 'content-length', String(JPEG.length)];
const SMALL: EncodedImage = { type: 'image/avif', body: Buffer.alloc(40_000) };
/** Kilobits per second: on such links this picture takes 0.5 s and 40 ms. */
const [SLOW, FAST] = [1_600, 20_000];

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A picture that is all there at once, and takes so long to encode. @returns when it went on, and as what */
async function held({ ms, rate, isBusy = () => false, outcome = () => SMALL }: { readonly ms: number; readonly rate: number | null; readonly isBusy?: () => boolean; readonly outcome?: () => EncodedImage }): Promise<{ readonly atMs: number; readonly type: string; readonly job: ImageJob | undefined }> {
  const beganMs = performance.now();
  let gone = { atMs: -1, type: '' };
  let job: ImageJob | undefined;
  const encode = async (each: ImageJob): Promise<EncodedImage | null> => {
    job = each;
    await new Promise((resolve) => void setTimeout(resolve, ms));
    return outcome();
  };
  const image = new HeldImage(
    { start: (fields) => (gone = { atMs: performance.now() - beganMs, type: fields[fields.indexOf('content-type') + 1] ?? '' }), data: () => true, end: () => undefined, wanted: () => undefined, close: () => undefined },
    { encode, held: new Room(JPEG.length), whole: new Room(JPEG.length), types: ['image/avif'], level: () => 2, rate, isThere: () => false, known: () => null, made: () => undefined, isBusy },
  );
  image.start(FIELDS);
  image.data(JPEG);
  image.end();
  await vi.advanceTimersByTimeAsync(5_000);
  image.close();
  return { ...gone, job };
}

describe('a picture that is kept until it is encoded', () => {
  it('is waited for as long as that saves time on its link', async () => {
    expect(await held({ ms: 250, rate: SLOW })).toMatchObject({ atMs: 250, type: 'image/avif' });
    // 100 ms for its arrival in any case, then 0.4 of what it takes as it is
    expect(await held({ ms: 400, rate: SLOW })).toMatchObject({ atMs: 310, type: 'image/jpeg' });
    expect(await held({ ms: 250, rate: FAST })).toMatchObject({ atMs: 120, type: 'image/jpeg' });
    expect(await held({ ms: 250, rate: null })).toMatchObject({ atMs: 150, type: 'image/jpeg' });
  });

  it('goes on as it is where its coder fails', async () => {
    const outcome = (): never => {
      throw new Error('a defect');
    };
    expect(await held({ ms: 250, rate: SLOW, outcome })).toMatchObject({ atMs: 250, type: 'image/jpeg' });
  });

  it('is not begun where that is likely to be in vain', async () => {
    expect((await held({ ms: 1, rate: SLOW })).job?.limitMs).toBe(300);
    expect((await held({ ms: 1, rate: SLOW, isBusy: () => true })).job?.limitMs).toBe(PATIENCE_MS);
  });

  it('costs nothing while the link carries what is as urgent, for a second at most', async () => {
    expect(await held({ ms: 900, rate: FAST, isBusy: () => true })).toMatchObject({ atMs: 900, type: 'image/avif' });
    expect((await held({ ms: 2_000, rate: FAST, isBusy: () => true })).type).toBe('image/jpeg');
    const beganMs = performance.now();
    const lateMs = 600;
    const { atMs, type } = await held({ ms: 900, rate: FAST, isBusy: () => performance.now() - beganMs < lateMs });
    expect([atMs > lateMs + 100, atMs < 800, type]).toEqual([true, true, 'image/jpeg']);
  });
});
