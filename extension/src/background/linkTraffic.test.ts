import { describe, expect, it } from 'vitest';
import { LinkTraffic, imageKey } from './linkTraffic.ts';

const ORIGIN = 'http://a.test';
const URL_A = `${ORIGIN}/a.jpg`;
const nothingInView = (): boolean => false;

describe('LinkTraffic', () => {
  it('stops counting a released image whose request never comes: the page has given it up while it was held', () => {
    const traffic = new LinkTraffic();
    traffic.released('d', 1, URL_A, 8_000, 0);
    expect(traffic.load(nothingInView, 3_000).openTo(ORIGIN)).toBe(1);
    expect(traffic.load(nothingInView, 3_001).openTo(ORIGIN)).toBe(0);
    expect(traffic.has(imageKey('d', URL_A))).toBe(false);
  });

  it('goes on counting one whose request is on its way, however slow', () => {
    const traffic = new LinkTraffic();
    traffic.released('d', 1, URL_A, 8_000, 0);
    expect(traffic.seen(imageKey('d', URL_A))).toBe(true);
    expect(traffic.load(nothingInView, 60_000).openTo(ORIGIN)).toBe(1);
  });

  it('does not take a link for full of images that nobody asks for', () => {
    const traffic = new LinkTraffic();
    for (let i = 0; i < 40; i += 1) traffic.released('d', 1, `${ORIGIN}/${i}.jpg`, 8_000, 0);
    expect(traffic.isFull(0)).toBe(true);
    expect(traffic.isFull(3_001)).toBe(false);
  });
});
