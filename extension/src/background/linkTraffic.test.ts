import { beforeEach, describe, expect, it } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { LinkTraffic, imageKey } from './linkTraffic.ts';

const ORIGIN = 'http://a.test';
const URL_A = `${ORIGIN}/a.jpg`;
const nothingInView = (): boolean => false;

let traffic: LinkTraffic;
beforeEach(() => void (traffic = new LinkTraffic()));

describe('LinkTraffic', () => {
  it('stops counting a released image whose request never comes: the page has given it up while it was held', () => {
    traffic.released('d', 1, URL_A, 8_000, 0);
    expect(traffic.load(nothingInView, 3_000).openTo(ORIGIN)).toBe(1);
    expect(traffic.load(nothingInView, 3_001).openTo(ORIGIN)).toBe(0);
    expect(traffic.seen(imageKey('d', URL_A))).toBe(false);
  });

  it('goes on counting one whose request is on its way, however slow', () => {
    traffic.released('d', 1, URL_A, 8_000, 0);
    expect(traffic.seen(imageKey('d', URL_A))).toBe(true);
    expect(traffic.load(nothingInView, 60_000).openTo(ORIGIN)).toBe(1);
  });

  it('counts what waits for a connection apart, until the origin has answered', () => {
    traffic.passed('d', 'r', 1, 'https://a.test/a.jpg', 0);
    const expected = traffic.imageSizes.expected('https://a.test/a.jpg');
    expect(traffic.load(nothingInView, 100)).toMatchObject({ connectingBytes: expected, bytesToCome: 0 });
    expect(traffic.load(nothingInView, 100).isConnecting('https://a.test')).toBe(true);
    traffic.responding('r', 9_000, 100);
    expect(traffic.load(nothingInView, 100)).toMatchObject({ connectingBytes: 0, bytesToCome: 9_000 });
    expect(traffic.load(nothingInView, 100).isConnecting('https://a.test')).toBe(false);
  });

  it('counts the images of https: that a tab has under way, though nothing comes of them', () => {
    traffic.passed('d', 'r', 1, 'https://a.test/a.jpg', 0);
    traffic.passed('e', 's', 2, 'https://a.test/b.jpg', 0);
    traffic.passed('d', 't', 1, URL_A, 0);
    traffic.responding('r', 9_000, 100);
    traffic.load(nothingInView, 60_000);
    expect(traffic.openSecureImages(1)).toBe(1);
    traffic.ended('r', 60_000);
    expect(traffic.openSecureImages(1)).toBe(0);
  });

  it('forgets the images of a document that is gone, and nothing else of its tab', () => {
    traffic.passed('frame', 'r', 1, 'https://a.test/a.jpg', 0);
    traffic.released('frame', 1, 'https://a.test/b.jpg', 8_000, 0);
    traffic.passed('d', 's', 1, 'https://a.test/c.jpg', 0);
    traffic.started('t', 1, 'script', 'https://a.test/d.js', false, 0);
    traffic.forgetDocument('frame', 10);
    expect([traffic.openSecureImages(1), traffic.load(nothingInView, 10).openTo('https://a.test')]).toEqual([1, 2]);
  });

  it.each([
    ['a layout file', (traffic: LinkTraffic) => traffic.started('r', 1, 'script', URL_A, true, 0), true],
    ['a file of a frame', (traffic: LinkTraffic) => traffic.started('r', 1, 'script', URL_A, false, 0), false],
    ['another file', (traffic: LinkTraffic) => traffic.started('r', 1, 'xmlhttprequest', URL_A, true, 0), false],
    ['an image that is not in view', (traffic: LinkTraffic) => traffic.passed('d', 'r', 1, URL_A, 0), false],
    ['an image that may be in view', (traffic: LinkTraffic) => traffic.passed('d', 'r', 1, `${ORIGIN}/visible.jpg`, 0), true],
  ])('the first screen waits for %s: %s', (_, start, expected) => {
    start(traffic);
    expect(traffic.load((_document, url) => url.includes('visible'), 10).isUrgent).toBe(expected);
  });

  it('counts what was redirected to another origin there', () => {
    traffic.released('d', 1, URL_A, 8_000, 0);
    traffic.redirected(imageKey('d', URL_A), 'http://b.test/b.jpg', 10);
    const { openTo } = traffic.load(nothingInView, 10);
    expect([openTo(ORIGIN), openTo('http://b.test')]).toEqual([0, 1]);
    expect(traffic.load(nothingInView, 10).bytesToCome + traffic.load(nothingInView, 10).connectingBytes).toBe(8_000);
    traffic.ended(imageKey('d', URL_A), 20);
    expect(traffic.load(nothingInView, 20).openTo('http://b.test')).toBe(0);
    traffic.redirected('unknown', URL_A, 30);
    expect(traffic.load(nothingInView, 30).openTo(ORIGIN)).toBe(0);
  });

  it('knows what has come, the carrier of requests first, and in another network nothing of it', () => {
    traffic.estimator.add({ startMs: 995, headersMs: 1_000, endMs: 1_999, bytes: 100_000, setup: 'none' });
    expect([traffic.shown?.rttMs, Math.round((traffic.shown?.rateBitsPerSecond ?? 0) / 100_000)]).toEqual([5, 8]);
    traffic.carriedRate = 3_000_000;
    expect(traffic.shown?.rateBitsPerSecond).toBe(3_000_000);
    traffic.networkChanged({ ...INITIAL_LINK, rttMs: 350, seenBitsPerSecond: null });
    expect([traffic.shown, traffic.estimate()]).toEqual([null, { ...INITIAL_LINK, rttMs: 350 }]);
  });

  it('takes the link for what it is assumed to be, until something is measured', () => {
    traffic.estimator.assume({ rateBitsPerSecond: 50_000_000, rttMs: 20, connectMs: 70 });
    expect(traffic.estimate()).toEqual({ rateBitsPerSecond: 50_000_000, rttMs: 20, connectMs: 70 });
    traffic.estimator.add({ startMs: 0, headersMs: 200, endMs: 1_200, bytes: 100_000, setup: 'none' });
    expect(traffic.estimate().rateBitsPerSecond).toBeLessThan(2_000_000);
  });

  it('has the rate that the helper measures, while that carries what the browser asks for', () => {
    const before = traffic.estimate();
    traffic.carriedRate = 400_000;
    expect(traffic.estimate()).toEqual({ ...before, rateBitsPerSecond: 400_000 });
    traffic.carriedRate = null;
    expect(traffic.estimate()).toEqual(before);
  });

  it('says of the link what is measured and what is not', () => {
    traffic.estimator.assume({ rateBitsPerSecond: 3_000_000, rttMs: 80, connectMs: 300 });
    expect(traffic.linkNow).toMatchObject({ rateBitsPerSecond: 3_000_000, isRateMeasured: false, rttMs: 80, isRttMeasured: false });
    traffic.estimator.roundTrip(60, 1_000);
    expect(traffic.linkNow).toMatchObject({ isRateMeasured: false, rttMs: 60, isRttMeasured: true });
    traffic.carriedRate = 2_000_000;
    expect(traffic.linkNow).toMatchObject({ rateBitsPerSecond: 2_000_000, isRateMeasured: false });
    traffic.carriedSeenRate = 1_500_000;
    expect(traffic.linkNow).toMatchObject({ rateBitsPerSecond: 1_500_000, isRateMeasured: true });
  });

  it('says the rate that was seen, where windows are reckoned with a higher one; a later background script says the same', () => {
    // of two round trips each; the answers of four at once come at a stroke
    for (let second = 1; second <= 4; second += 1) for (let i = 0; i < 4; i += 1) traffic.estimator.add({ startMs: 1_000 * second, headersMs: 1_990 + 1_000 * second, endMs: 2_000 + 1_000 * second, bytes: 50_000, setup: 'none' });
    traffic.estimator.roundTrip(150, 5_000);
    const { rateBitsPerSecond } = traffic.linkNow;
    expect(traffic.estimate().rateBitsPerSecond).toBeGreaterThan(1.5 * rateBitsPerSecond);
    const later = new LinkTraffic();
    later.assume(traffic.known);
    expect(later.linkNow).toMatchObject({ rateBitsPerSecond, isRateMeasured: false });
    expect(later.estimate().rateBitsPerSecond).toBe(traffic.estimate().rateBitsPerSecond);
  });
});
