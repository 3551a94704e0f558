import { describe, expect, it } from 'vitest';
import { Lookups } from './lookups.ts';

/** Answers when it is told to, with the number of the question. */
function setUp(): { readonly lookups: Lookups<number>; readonly shown: number[]; readonly asked: () => number; readonly answer: () => Promise<void> } {
  const shown: number[] = [];
  const waiting: (() => void)[] = [];
  let asked = 0;
  const lookups = new Lookups(
    () => {
      const mine = (asked += 1);
      return new Promise<number>((resolve) => waiting.push(() => resolve(mine)));
    },
    (facts) => void shown.push(facts),
  );
  return {
    lookups, shown, asked: () => asked,
    answer: async () => {
      waiting.shift()?.();
      await new Promise((done) => setTimeout(done));
    },
  };
}

describe('what a page shows of facts that change', () => {
  it('is shown although changes come faster than answers', async () => {
    const { lookups, shown, answer } = setUp();
    for (let times = 0; times < 3; times += 1) {
      void lookups.refresh();
      void lookups.refresh();
      await answer();
    }
    expect(shown).toEqual([1, 2, 3]);
  });

  it('is looked up once more for all that changes during a lookup', async () => {
    const { lookups, shown, asked, answer } = setUp();
    const first = lookups.refresh();
    for (let times = 0; times < 5; times += 1) void lookups.refresh();
    await answer();
    await answer();
    await first;
    expect([shown, asked()]).toEqual([[1, 2], 2]);
    void lookups.refresh();
    await answer();
    expect(shown).toEqual([1, 2, 3]);
  });

  it('is not shown when the user has changed it since', async () => {
    const { lookups, shown, answer } = setUp();
    void lookups.refresh();
    lookups.outdate();
    void lookups.refresh();
    await answer();
    expect(shown).toEqual([]);
    await answer();
    expect(shown).toEqual([2]);
  });

  it('goes on after a lookup that failed', async () => {
    const shown: number[] = [];
    let times = 0;
    const lookups = new Lookups(() => ((times += 1) === 1 ? Promise.reject(new Error('starting')) : Promise.resolve(times)), (facts) => void shown.push(facts));
    await expect(lookups.refresh()).rejects.toThrow('starting');
    await lookups.refresh();
    expect(shown).toEqual([2]);
  });

  it('is looked up for what changes while a lookup fails', async () => {
    const shown: number[] = [];
    let times = 0;
    const lookups = new Lookups(() => ((times += 1) === 1 ? Promise.reject(new Error('starting')) : Promise.resolve(times)), (facts) => void shown.push(facts));
    const failed = expect(lookups.refresh()).rejects.toThrow('starting');
    void lookups.refresh().catch(() => undefined);
    await failed;
    await new Promise((done) => setTimeout(done));
    expect(shown).toEqual([2]);
  });
});
