import { describe, expect, it } from 'vitest';
import { LAYOUT_MS } from '../../../shared/src/scheduling/releaseWindow.ts';
import { LinkTraffic, imageKey } from './linkTraffic.ts';

const ORIGIN = 'http://a.test';
const URL_A = `${ORIGIN}/a.jpg`;
const nothingInView = (): boolean => false;

describe('LinkTraffic', () => {
  it('stops counting a released image whose request never comes: the page has given it up while it was held', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    traffic.released('d', 1, URL_A, 8_000, 0);
    expect(traffic.load(nothingInView, true, 3_000).openTo(ORIGIN)).toBe(1);
    expect(traffic.load(nothingInView, true, 3_001).openTo(ORIGIN)).toBe(0);
    expect(traffic.has(imageKey('d', URL_A))).toBe(false);
  });

  it('goes on counting one whose request is on its way, however slow', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    traffic.released('d', 1, URL_A, 8_000, 0);
    expect(traffic.seen(imageKey('d', URL_A))).toBe(true);
    expect(traffic.load(nothingInView, true, 60_000).openTo(ORIGIN)).toBe(1);
  });

  it('does not take a link for full of images that nobody asks for', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    for (let i = 0; i < 40; i += 1) traffic.released('d', 1, `${ORIGIN}/${i}.jpg`, 8_000, 0);
    expect(traffic.isFull(0, 'browser')).toBe(true);
    expect(traffic.isFull(3_001, 'browser')).toBe(false);
  });

  it('counts what waits for a connection apart, until the origin has answered', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    traffic.passed('d', 'r', 1, 'https://a.test/a.jpg', 0);
    const expected = traffic.imageSizes.expected('https://a.test/a.jpg');
    expect(traffic.load(nothingInView, true, 100)).toMatchObject({ connectingBytes: expected, bytesToCome: 0, isUrgent: true });
    expect(traffic.origins(100, true).isConnecting('https://a.test')).toBe(true);
    traffic.responding('r', 9_000, 100);
    expect(traffic.load(nothingInView, true, 100)).toMatchObject({ connectingBytes: 0, bytesToCome: 9_000 });
    expect(traffic.origins(100, true).isConnecting('https://a.test')).toBe(false);
  });

  describe('how many requests may be open to an origin without TLS', () => {
    const FILE = 'http://a.test/a.css';
    const limits = (traffic: LinkTraffic, nowMs: number): number[] => [false, true].map((laidOut) => traffic.origins(nowMs, laidOut).plainOriginLimit('http://a.test'));

    it.each(['stylesheet', 'script', 'font'])('few while a %s is on the way and soon after it, for a page whose layout is not known', (type) => {
      const traffic = new LinkTraffic({ releasesAreAlike: true });
      expect(limits(traffic, 0)).toEqual([8, 8]);
      traffic.started('r', 1, type, FILE, true, 0);
      expect(limits(traffic, 10)).toEqual([3, 8]);
      traffic.ended('r', 20);
      expect(limits(traffic, 20 + LAYOUT_MS - 1)).toEqual([2, 8]);
      expect(limits(traffic, 20 + LAYOUT_MS)).toEqual([8, 8]);
    });

    it.each([
      ['a document that streams on', 'main_frame', true],
      ['a frame', 'script', false],
    ])('not for %s', (_, type, ofMainDocument) => {
      const traffic = new LinkTraffic({ releasesAreAlike: true });
      traffic.started('r', 1, type, FILE, ofMainDocument, 0);
      expect(limits(traffic, 10)).toEqual([8, 8]);
    });

    it('not for a file that does not come', () => {
      const traffic = new LinkTraffic({ releasesAreAlike: true });
      traffic.started('r', 1, 'script', FILE, true, 0);
      traffic.responding('r', 40_000, 100);
      expect(limits(traffic, 200)).toEqual([3, 8]);
      expect(limits(traffic, 60_000)).toEqual([8, 8]);
    });
  });

  it('counts what was redirected to another origin there', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    traffic.released('d', 1, URL_A, 8_000, 0);
    traffic.redirected(imageKey('d', URL_A), 'http://b.test/b.jpg', 10);
    const { openTo } = traffic.origins(10, true);
    expect([openTo(ORIGIN), openTo('http://b.test')]).toEqual([0, 1]);
    expect(traffic.load(nothingInView, true, 10).bytesToCome + traffic.load(nothingInView, true, 10).connectingBytes).toBe(8_000);
    traffic.ended(imageKey('d', URL_A), 20);
    expect(traffic.origins(20, true).openTo('http://b.test')).toBe(0);
    traffic.redirected('unknown', URL_A, 30);
    expect(traffic.origins(30, true).openTo(ORIGIN)).toBe(0);
  });

  it('says when all that was asked for comes before its order could matter', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    traffic.released('d', 1, URL_A, 40_000, 0);
    expect(traffic.isSoonThere(0)).toBe(true);
    expect(traffic.isSoonThere(0, 40_000)).toBe(false);
    traffic.released('d', 1, `${ORIGIN}/b.jpg`, 40_000, 0);
    expect(traffic.isSoonThere(0)).toBe(false);
  });

  it('learns from answers with TLS how long a connection takes', () => {
    const traffic = new LinkTraffic({ releasesAreAlike: true });
    const { connectMs } = traffic.estimate();
    traffic.answeredFirst('http://a.test/', 5_000);
    expect(traffic.estimate().connectMs).toBe(connectMs);
    traffic.answeredFirst('https://a.test/', 5_000);
    expect(traffic.estimate().connectMs).toBeGreaterThan(4_000);
  });
});
