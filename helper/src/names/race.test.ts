import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { race, type Attempt } from '../../../shared/src/names/race.ts';
import { after } from '../../../shared/src/node/after.ts';

const DELAY_MS = 250;

/** Attempts that settle when they are told to. */
class Attempts {
  readonly started: string[] = [];
  readonly cancelled: string[] = [];
  private readonly settlers = new Map<string, { resolve: (value: string) => void; reject: (error: Error) => void }>();

  readonly start = (name: string): Attempt<string> => {
    this.started.push(name);
    const result = new Promise<string>((resolve, reject) => this.settlers.set(name, { resolve, reject }));
    return { result, cancel: () => this.cancelled.push(name) };
  };

  succeed(name: string): void {
    this.settlers.get(name)?.resolve(name);
  }

  fail(name: string): void {
    this.settlers.get(name)?.reject(new Error(name));
  }
}

describe('race', () => {
  let attempts: Attempts;
  beforeEach(() => {
    vi.useFakeTimers();
    attempts = new Attempts();
  });
  afterEach(() => void vi.useRealTimers());
  const run = (): Promise<string> => race(['a', 'b', 'c'], attempts.start, () => DELAY_MS, after);

  it('the first one that succeeds wins, and no other is begun', async () => {
    const winner = run();
    attempts.succeed('a');
    await expect(winner).resolves.toBe('a');
    await vi.advanceTimersByTimeAsync(10 * DELAY_MS);
    expect(attempts.started).toEqual(['a']);
  });

  it('one that takes long gets company, and is given up when that wins', async () => {
    const winner = run();
    await vi.advanceTimersByTimeAsync(DELAY_MS);
    expect(attempts.started).toEqual(['a', 'b']);
    attempts.succeed('b');
    await expect(winner).resolves.toBe('b');
    expect(attempts.cancelled).toEqual(['a']);
  });

  it('one that fails is followed at once', async () => {
    const winner = run();
    attempts.fail('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(attempts.started).toEqual(['a', 'b']);
    attempts.succeed('b');
    await expect(winner).resolves.toBe('b');
  });

  it('when all have failed it tells of each', async () => {
    const result = run().catch((error: unknown) => error);
    for (const name of ['a', 'b', 'c']) {
      attempts.fail(name);
      await vi.advanceTimersByTimeAsync(0);
    }
    const error = await result;
    expect(error).toBeInstanceOf(AggregateError);
    expect((error as AggregateError).errors.map(String)).toEqual(['Error: a', 'Error: b', 'Error: c']);
  });

  it('without candidates it fails', () => expect(race([], attempts.start, () => DELAY_MS, after)).rejects.toBeInstanceOf(AggregateError));
});
