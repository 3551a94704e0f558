import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { BrowserRequestSchema } from './browserRequest.ts';
import { HarEntrySchema, browserRequestOf, type HarEntry } from './harEntry.ts';

const ENTRY: HarEntry = {
  startedDateTime: '2026-11-26T01:00:00.000Z',
  time: 100,
  request: { method: 'GET', url: 'https://a.test/a.jpg', httpVersion: 'h2' },
  response: { status: 200, httpVersion: 'h2', content: { size: 900, mimeType: 'image/jpeg' }, headersSize: -1, bodySize: -1, _transferSize: 1_000 },
  timings: { blocked: 10, dns: -1, connect: 20, ssl: 10, send: 1, wait: 40, receive: 29 },
  connection: '42',
  _resourceType: 'image',
};

describe('a request of the developer tools', () => {
  it('is what a HAR entry says of it', () => {
    const startMs = Date.parse('2026-11-26T01:00:00.000Z');
    expect(browserRequestOf(ENTRY, 3)).toEqual({
      id: 3, url: 'https://a.test/a.jpg', method: 'GET', status: 200, httpVersion: 'h2', kind: 'image', mimeType: 'image/jpeg', startMs, endMs: startMs + 100,
      timings: { blocked: 10, dns: null, connect: 20, ssl: 10, send: 1, wait: 40, receive: 29 }, bodyBytes: 900, transferBytes: 1_000, isCached: false, connection: '42',
    });
  });

  it.each<[string, Partial<HarEntry>, Partial<ReturnType<typeof browserRequestOf>>]>([
    ['of Firefox: kind and size without names of Chromium', { _resourceType: undefined, response: { ...ENTRY.response, _transferSize: undefined, headersSize: 100, bodySize: 800, content: { size: 800, mimeType: 'text/css; charset=utf-8' } } }, { kind: 'style', transferBytes: 900 }],
    ['from the memory cache', { _fromCache: 'memory' }, { isCached: true, transferBytes: 0 }],
    ['from Firefox\'s cache', { response: { ...ENTRY.response, _transferSize: undefined, headersSize: 100, bodySize: 0 } }, { isCached: true, transferBytes: 0 }],
    ['on no connection', { connection: '0' }, { connection: null }],
    ['that failed', { response: { ...ENTRY.response, status: 0 }, time: -1 }, { status: 0 }],
  ])('%s', (_, change, expected) => expect(browserRequestOf({ ...ENTRY, ...change }, 0)).toMatchObject(expected as object));

  it.each(['data:image/png;base64,AA', 'chrome-extension://x/y.js', 'blob:https://a.test/1'])('is none of the network: %s', (url) => expect(browserRequestOf({ ...ENTRY, request: { ...ENTRY.request, url } }, 0)).toBeNull());

  it('whatever an entry holds, is refused or fits the schema of recordings', () => {
    const junk = fc.oneof(fc.double(), fc.integer(), fc.constant(null), fc.string());
    const entry = fc.record({
      startedDateTime: fc.oneof(fc.constant(ENTRY.startedDateTime), fc.string(), fc.date()), time: junk, request: fc.constant(ENTRY.request),
      response: fc.record({ status: junk, content: fc.record({ size: junk, mimeType: junk }), bodySize: junk, headersSize: junk }),
      timings: fc.dictionary(fc.constantFrom('blocked', 'dns', 'connect', 'ssl', 'send', 'wait', 'receive'), junk), connection: junk,
    });
    fc.assert(fc.property(entry, (input) => {
      const parsed = v.safeParse(HarEntrySchema, input);
      const request = parsed.success ? browserRequestOf(parsed.output, 0) : null;
      if (request !== null) expect(v.parse(BrowserRequestSchema, request)).toEqual(request);
    }));
  });
});
