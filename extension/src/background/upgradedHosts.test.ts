import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { UpgradedHosts } from './upgradedHosts.ts';

let redirected: (details: { url: string; redirectUrl: string }) => void;
let told: string[][];
beforeEach(() => {
  vi.useFakeTimers();
  told = [];
  vi.stubGlobal('chrome', { webRequest: { onBeforeRedirect: { addListener: (listener: typeof redirected) => (redirected = listener) } } });
  new UpgradedHosts((hosts) => told.push(hosts)).watch();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it.each([
  ['the same URL by https:', 'http://a.test/x?y', 'https://a.test/x?y', [['a.test']]],
  ['the same with a port', 'http://a.test:8080/', 'https://a.test:8080/', [['a.test']]],
  ['another path', 'http://a.test/', 'https://a.test/login', []],
  ['another host', 'http://a.test/', 'https://www.a.test/', []],
  ['in clear', 'http://a.test/', 'http://a.test/x', []],
])('a redirect to %s', (_, url, redirectUrl, expected) => {
  redirected({ url, redirectUrl });
  vi.advanceTimersByTime(100);
  expect(told).toEqual(expected);
});

it('hosts are told once for a burst, and again in the next', () => {
  for (let i = 0; i < 300; i += 1) redirected({ url: `http://${i % 3}.test/${i}`, redirectUrl: `https://${i % 3}.test/${i}` });
  vi.advanceTimersByTime(100);
  redirected({ url: 'http://1.test/', redirectUrl: 'https://1.test/' });
  vi.advanceTimersByTime(100);
  expect(told).toEqual([['0.test', '1.test', '2.test'], ['1.test']]);
});
