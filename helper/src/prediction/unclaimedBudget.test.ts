import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { UnclaimedBudget, type Spending } from './unclaimedBudget.ts';

const LIMITS = { documents: 2, bytes: 1_000, windowMs: 60 };

describe('what is fetched for nobody', () => {
  it('is so many documents in a window, and those that are claimed do not count', () => {
    const budget = new UnclaimedBudget(LIMITS);
    const first = budget.begin(true, 10, 0);
    expect(budget.begin(true, 10, 1)).not.toBeNull();
    expect(budget.begin(true, 10, 2)).toBeNull();
    if (first !== null) budget.claimed(first);
    expect(budget.begin(true, 10, 3)).not.toBeNull();
    expect(budget.begin(true, 10, 60)).toBeNull();
    expect(budget.begin(true, 10, 61)).not.toBeNull();
  });

  it('is no object for which its expected size leaves no room', () => {
    const budget = new UnclaimedBudget(LIMITS);
    expect(budget.begin(false, 600, 0)).not.toBeNull();
    expect(budget.begin(false, 600, 0)).toBeNull();
    expect(budget.begin(false, 400, 0)).not.toBeNull();
  });

  it('is no answer that says it is longer than what is left, and none that turns out to be', () => {
    const budget = new UnclaimedBudget(LIMITS);
    const page = budget.begin(true, 10, 0) as Spending;
    expect(budget.announced(page, 1_001, 0)).toBe(false);
    expect(budget.announced(page, 1_000, 0)).toBe(true);
    expect(budget.received(page, 1_000, 0)).toBe(true);
    expect(budget.received(page, 1, 0)).toBe(false);
  });

  it('counts again when more comes of what has been silent for a window', () => {
    const budget = new UnclaimedBudget(LIMITS);
    const object = budget.begin(false, 100, 0) as Spending;
    expect(budget.begin(false, 1_000, LIMITS.windowMs)).not.toBeNull();
    expect(budget.received(object, 1_000, LIMITS.windowMs)).toBe(true);
    expect(budget.begin(false, 0, LIMITS.windowMs)).toBeNull();
    budget.claimed(object);
    expect(budget.received(object, 1_000, LIMITS.windowMs)).toBe(true);
    expect(budget.unclaimed(LIMITS.windowMs).bytes).toBe(0);
  });

  it('leaves room again when it ends with less than was expected', () => {
    const budget = new UnclaimedBudget(LIMITS);
    const object = budget.begin(false, 900, 0) as Spending;
    budget.received(object, 100, 0);
    budget.ended(object);
    expect(budget.begin(false, 900, 0)).not.toBeNull();
  });
});

interface Fetched {
  readonly spending: Spending;
  readonly isDocument: boolean;
  readonly atMs: number;
  readonly pieces: { readonly atMs: number; readonly bytes: number }[];
}

it('never is more than the limits in any window, whatever is begun, comes and is claimed', () => {
  const event = fc.record({ waitMs: fc.nat(40), what: fc.constantFrom('page', 'object', 'bytes', 'claim'), which: fc.nat(9), bytes: fc.nat(400) });
  fc.assert(fc.property(fc.array(event, { maxLength: 80 }), (events) => {
    const budget = new UnclaimedBudget(LIMITS);
    let unclaimed: Fetched[] = [];
    const stopped = new Set<Fetched>();
    let nowMs = 0;
    const inWindow = ({ atMs }: { readonly atMs: number }): boolean => atMs > nowMs - LIMITS.windowMs;
    const bytesOf = (fetched: readonly Fetched[]): number => fetched.flatMap(({ pieces }) => pieces).filter(inWindow).reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { waitMs, what, which, bytes } of events) {
      nowMs += waitMs;
      const coming = unclaimed.filter((each) => !stopped.has(each));
      const chosen = coming[which % Math.max(1, coming.length)];
      if (what === 'page' || what === 'object') {
        const spending = budget.begin(what === 'page', bytes, nowMs);
        if (spending === null) continue;
        expect(bytesOf(unclaimed)).toBeLessThan(LIMITS.bytes);
        unclaimed.push({ spending, isDocument: what === 'page', atMs: nowMs, pieces: [] });
        expect(unclaimed.filter((each) => each.isDocument && inWindow(each)).length).toBeLessThanOrEqual(LIMITS.documents);
      } else if (chosen !== undefined && what === 'bytes') {
        chosen.pieces.push({ atMs: nowMs, bytes });
        if (budget.received(chosen.spending, bytes, nowMs)) expect(bytesOf(unclaimed)).toBeLessThanOrEqual(LIMITS.bytes);
        else stopped.add(chosen);
      } else if (chosen !== undefined) {
        budget.claimed(chosen.spending);
        unclaimed = unclaimed.filter((each) => each !== chosen);
      }
    }
  }));
});
