import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { FirstScreenNeeds } from '../../../shared/src/memory/neededObject.ts';
import { NeedsTelling } from './needsTelling.ts';

const [AT_REST, LATE] = ['https://a.test', 'https://b.test'].map((origin): FirstScreenNeeds => ({ objects: [], origins: [origin] })) as [FirstScreenNeeds, FirstScreenNeeds];

class FakeDocument extends EventTarget {
  readyState = 'loading';
}

let page = new FakeDocument();
let told: FirstScreenNeeds[] = [];
let isHeard = true;
let readings = 0;
let telling = new NeedsTelling(() => Promise.resolve(LATE), () => true);

beforeEach(() => {
  vi.useFakeTimers();
  [page, told, isHeard, readings] = [new FakeDocument(), [], true, 0];
  vi.stubGlobal('document', page);
  telling = new NeedsTelling(() => {
    readings += 1;
    return Promise.resolve(LATE);
  }, (needs) => {
    if (isHeard) told.push(needs);
    return isHeard;
  });
});

afterEach(() => vi.useRealTimers());

function parsed(): void {
  page.readyState = 'interactive';
  page.dispatchEvent(new Event('DOMContentLoaded'));
}

it('a page that has loaded is told of as it is at rest, and read no other time', async () => {
  void telling.asked(() => new Promise((resolve) => setTimeout(() => resolve(AT_REST), 8_000)));
  parsed();
  page.readyState = 'complete';
  await vi.advanceTimersByTimeAsync(60_000);
  expect([told, readings]).toEqual([[AT_REST], 0]);
});

it('a page whose load does not end is told of some seconds after it was parsed, not before', async () => {
  void telling.asked(() => new Promise(() => undefined));
  await vi.advanceTimersByTimeAsync(60_000);
  expect(told).toEqual([]);
  parsed();
  await vi.advanceTimersByTimeAsync(4_999);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual([LATE]);
});

it('a document is one visit, however often somebody asks', async () => {
  page.readyState = 'complete';
  const atRest = (): Promise<FirstScreenNeeds> => Promise.resolve(AT_REST);
  await Promise.all([telling.asked(atRest), telling.asked(atRest)]);
  await telling.asked(atRest);
  expect(told).toEqual([AT_REST]);
});

it('what nobody has heard is told to who asks next', async () => {
  page.readyState = 'complete';
  isHeard = false;
  await telling.asked(() => Promise.resolve(AT_REST));
  isHeard = true;
  await telling.asked(() => Promise.resolve(AT_REST));
  expect(told).toEqual([AT_REST]);
});
