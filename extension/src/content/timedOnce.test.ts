import { describe, expect, it } from 'vitest';
import { TimedOnce } from './timedOnce.ts';

const TOOK = () => Promise.resolve(1_200);

describe('a document', () => {
  it('is timed for the background script that it began with', async () => {
    const timed = new TimedOnce();
    timed.met();
    expect(await timed.asked(TOOK)).toBe(1_200);
  });

  it.each([
    ['the first has asked', true],
    ['nobody has asked', false],
  ])('is not timed for a later one, which takes what was loaded without Firstscreen for its own work, where %s', async (_, hasAsked) => {
    const timed = new TimedOnce();
    timed.met();
    if (hasAsked) await timed.asked(TOOK);
    timed.met();
    expect(await timed.asked(TOOK)).toBeNull();
  });

  it('does not tell a later one what the first has asked', async () => {
    const timed = new TimedOnce();
    const took = Promise.withResolvers<number>();
    timed.met();
    const told = timed.asked(() => took.promise);
    timed.met();
    took.resolve(1_200);
    expect(await told).toBeNull();
  });
});
