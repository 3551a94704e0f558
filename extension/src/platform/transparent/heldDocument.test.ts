import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MAX_REMEMBERED } from '../../../../shared/src/page/remembered.ts';
import { HOLD_LIMIT_MS, HeldDocument } from './heldDocument.ts';

const A = 'http://images.test/a.png';
const B = 'http://images.test/b.png';

describe('HeldDocument', () => {
  let givenUp: string[];
  let document: HeldDocument;
  beforeEach(() => {
    givenUp = [];
    document = new HeldDocument((url) => givenUp.push(url));
    vi.useFakeTimers();
  });
  afterEach(() => vi.useRealTimers());

  function holdAll(requests: readonly (readonly [id: string, url: string])[]): string[] {
    const gone: string[] = [];
    for (const [id, url] of requests) void document.hold(id, url).then(() => gone.push(id));
    return gone;
  }

  it('lets go of every request of a released URL and of no other', async () => {
    const gone = holdAll([['1', A], ['2', B], ['3', A]]);
    document.release(A);
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(['1', '3']);
    await vi.advanceTimersByTimeAsync(HOLD_LIMIT_MS);
    expect(givenUp).toEqual([B]);
  });

  it('lets a released object pass from then on, and each redirection of its request', () => {
    void document.hold('1', A);
    expect(document.mustPass('2', A)).toBe(false);
    document.release(A);
    expect(document.mustPass('2', A)).toBe(true);
    expect(document.mustPass('1', B)).toBe(true);
    expect(document.mustPass('2', B)).toBe(false);
  });

  it('takes a release that comes before its request', () => {
    document.release(A);
    expect(document.mustPass('1', A)).toBe(true);
  });

  it('remembers the latest requests of a page that asks for pictures for days', () => {
    for (let id = 0; id <= MAX_REMEMBERED; id += 1) document.pass(String(id));
    expect(['0', '1', String(MAX_REMEMBERED)].map((id) => document.mustPass(id, A))).toEqual([false, true, true]);
  });

  it('holds nothing beyond the time limit, and says so', async () => {
    const gone = holdAll([['1', A]]);
    await vi.advanceTimersByTimeAsync(HOLD_LIMIT_MS - 1);
    expect(gone).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect([gone, givenUp]).toEqual([['1'], [A]]);
  });

  it('fails open in the order of the requests, for good', async () => {
    const gone = holdAll([['1', B], ['2', A]]);
    document.releaseAll();
    await vi.advanceTimersByTimeAsync(0);
    expect(gone).toEqual(['1', '2']);
    expect(document.mustPass('3', 'http://images.test/new.png')).toBe(true);
  });
});
