import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { MAX_FRAME_BYTES, MAX_RANKS, parseExtensionMessage } from '../../../shared/src/protocol/native.ts';
import { Bursts } from './bursts.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('tells a burst at once, each message within the limits of the protocol', () => {
  let told: string[][] = [];
  const bursts = new Bursts((images) => told.push(images));
  const urls = Array.from({ length: MAX_RANKS + 1 }, (_, n) => `https://a.test/${n}.png?`.padEnd(2_000, 'x'));
  for (const url of urls) bursts.add(url);
  expect(told).toEqual([]);
  vi.runAllTimers();
  expect(told.flat()).toEqual(urls);
  for (const images of told) {
    const message = JSON.stringify({ v: 1, id: 0, type: 'asking', payload: { images } });
    expect(message.length).toBeLessThan(MAX_FRAME_BYTES);
    expect(parseExtensionMessage(JSON.parse(message))).toMatchObject({ type: 'asking' });
  }
  told = [];
  bursts.add('https://a.test/later.png');
  vi.runAllTimers();
  expect(told).toEqual([['https://a.test/later.png']]);
});
