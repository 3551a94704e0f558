import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_FRAME_BYTES, MAX_RANKS, parseExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { Bursts } from './bursts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells a burst at once, by what it is of, each message within the limits of the protocol', () => {
  const told: { page: string; images: string[] }[] = [];
  const bursts = new Bursts((page, images) => told.push({ page, images }));
  const urls = (page: string): string[] => Array.from({ length: MAX_RANKS + 1 }, (_, n) => `${page}${n}.png?`.padEnd(2_000, 'x'));
  const all = ['https://a.test/', 'https://b.test/'].map((page) => ({ page, images: urls(page) }));
  for (const { page, images } of all) for (const url of images) bursts.add(page, url);
  expect(told).toEqual([]);
  vi.runAllTimers();
  for (const { page, images } of all) expect(told.filter((each) => each.page === page).flatMap((each) => each.images)).toEqual(images);
  for (const payload of told) {
    const message = JSON.stringify({ v: 1, id: 0, type: 'asking', payload });
    expect(message.length).toBeLessThan(MAX_FRAME_BYTES);
    expect(parseExtensionMessage(JSON.parse(message))).toMatchObject({ type: 'asking' });
  }
  bursts.add('https://a.test/', 'https://a.test/later.png');
  told.length = 0;
  vi.runAllTimers();
  expect(told).toEqual([{ page: 'https://a.test/', images: ['https://a.test/later.png'] }]);
});
