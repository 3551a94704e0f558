import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestEnd } from '../metrics/artifacts.ts';
import type { Flow, ServedRequest } from '../metrics/testbed.ts';
import { Arrivals } from './arrival.ts';
import { START_MS, testLink } from './testArtifacts.ts';
import { timeShares } from './timeShares.ts';

/** At 1 Mbit/s 125 bytes take a millisecond. */
const BYTES_PER_MS = 125;
const HEADER_BYTES = 200;

const nanoseconds = (ms: number) => (START_MS + ms) * 1e6;

function response(port: number, bodyBytes: number, extra: Partial<ServedRequest> = {}): ServedRequest {
  return {
    url: `http://a.test/${port}`, recordedUrl: null, status: 200, method: 'GET', client: `10.0.0.1:${port}`, server: '10.0.0.2:80', contentType: null,
    startNs: nanoseconds(0), endNs: nanoseconds(1), bodyBytes, streamEnd: bodyBytes + HEADER_BYTES, aborted: false, ...extra,
  };
}

const flow = (port: number, ...steps: (readonly [number, number])[]): Flow => ({ client: `10.0.0.1:${port}`, server: '10.0.0.2:80', steps: steps.map(([ms, bytes]) => [nanoseconds(ms), bytes]) });

function shares(isrtMs: number, served: readonly ServedRequest[], flows: readonly Flow[], needed: readonly ServedRequest[], deliveredBytes = 0, ends: readonly RequestEnd[] = []) {
  const link = testLink();
  return timeShares({ isrtMs, navigationStartMs: START_MS, served, arrivals: new Arrivals(flows, ends), flows, needed: new Set(needed), link: { ...link, down: { ...link.down, deliveredBytes } } });
}

describe('timeShares', () => {
  it('takes as idle what the link did not carry, and all overhead as needed', () => {
    const document = response(1, 50 * BYTES_PER_MS - HEADER_BYTES);
    expect(shares(200, [document], [flow(1, [100, 50 * BYTES_PER_MS])], [document])).toEqual({ neededMs: 50, wasteMs: 0, idleMs: 150 });
  });

  it('counts headers of packets and names by what the link delivered in all', () => {
    const document = response(1, 50 * BYTES_PER_MS - HEADER_BYTES);
    expect(shares(200, [document], [flow(1, [100, 50 * BYTES_PER_MS])], [document], 60 * BYTES_PER_MS)).toEqual({ neededMs: 60, wasteMs: 0, idleMs: 140 });
  });

  it('takes the bodies that came before ISRT and are not needed as waste, and nothing that came later', () => {
    const needed = response(1, 1_000);
    const early = response(2, 20 * BYTES_PER_MS);
    const late = response(3, 20 * BYTES_PER_MS);
    const flows = [flow(1, [100, 1_000 + HEADER_BYTES]), flow(2, [90, 20 * BYTES_PER_MS + HEADER_BYTES]), flow(3, [300, 20 * BYTES_PER_MS + HEADER_BYTES])];
    expect(shares(200, [needed, early, late], flows, [needed]).wasteMs).toBe(20);
  });

  it('takes what has come of a response under way as waste, also beside a needed one on the same connection', () => {
    const needed = response(1, 1_000);
    const picture = response(1, 1_000 * BYTES_PER_MS, { url: 'http://a.test/far.jpg', streamEnd: 1_000 * BYTES_PER_MS + 1_000 + 2 * HEADER_BYTES });
    const flows = [flow(1, [50, 1_000 + HEADER_BYTES], [150, 1_000 + 2 * HEADER_BYTES + 40 * BYTES_PER_MS], [9_000, 1_000 * BYTES_PER_MS + 1_000 + 2 * HEADER_BYTES])];
    expect(shares(200, [needed, picture], flows, [needed]).wasteMs).toBe(40);
  });

  it('takes handshakes and headers of a response under way as overhead', () => {
    const [handshake, bodyBytes] = [30 * BYTES_PER_MS, 100 * BYTES_PER_MS];
    const picture = response(1, bodyBytes, { startNs: nanoseconds(60), streamEnd: handshake + HEADER_BYTES + bodyBytes });
    const steps = [[50, handshake], [150, handshake + HEADER_BYTES + 40 * BYTES_PER_MS]] as const;
    expect(shares(200, [picture], [flow(1, ...steps, [9_000, handshake + HEADER_BYTES + bodyBytes])], []).wasteMs).toBe(40);
    // nobody knows how much of it was to come
    const cutOff = { ...picture, streamEnd: null, aborted: true };
    expect(shares(200, [cutOff], [flow(1, ...steps)], []).wasteMs).toBeCloseTo(40 + HEADER_BYTES / BYTES_PER_MS);
  });

  it('counts nothing that the link carried before the navigation, neither bytes nor bodies', () => {
    const before = response(1, 50 * BYTES_PER_MS, { startNs: nanoseconds(-2_000) });
    const document = response(1, 20 * BYTES_PER_MS - HEADER_BYTES, { streamEnd: 70 * BYTES_PER_MS + HEADER_BYTES });
    const flows = [flow(1, [-1_000, 50 * BYTES_PER_MS + HEADER_BYTES], [150, 70 * BYTES_PER_MS + HEADER_BYTES])];
    expect(shares(200, [before, document], flows, [document])).toEqual({ neededMs: 20, wasteMs: 0, idleMs: 180 });
  });

  it('takes a needed object that came twice as waste once, and a redirect as overhead', () => {
    const first = response(1, 10 * BYTES_PER_MS);
    const second = response(2, 10 * BYTES_PER_MS, { url: first.url });
    const redirect = response(3, 10 * BYTES_PER_MS, { status: 302 });
    const flows = [1, 2, 3].map((port) => flow(port, [50, 10 * BYTES_PER_MS + HEADER_BYTES]));
    expect(shares(200, [first, second, redirect], flows, [first]).wasteMs).toBe(10);
  });

  describe('by a relay', () => {
    const BEFORE = 5_000;
    const relayed = (port: number, bodyBytes: number) => response(port, bodyBytes, { client: `10.98.0.1:${port}` });
    const carrier = (...steps: (readonly [number, number])[]): Flow => ({ client: '10.99.0.1:1', server: '10.99.0.2:8443', beforeBytes: BEFORE, steps: steps.map(([ms, bytes]) => [nanoseconds(ms), BEFORE + bytes]) });
    const ended = (request: ServedRequest, ms: number): RequestEnd => ({ url: request.url, atMs: START_MS + ms });

    it('takes as busy what its connection brought, and nothing from before the record', () => {
      const document = relayed(1, 50 * BYTES_PER_MS - HEADER_BYTES);
      expect(shares(200, [document], [carrier([100, 50 * BYTES_PER_MS])], [document], 0, [ended(document, 100)])).toEqual({ neededMs: 50, wasteMs: 0, idleMs: 150 });
    });

    it('takes as waste the bodies that came whole, and of those under way their part of what came', () => {
      const document = relayed(1, 1_000);
      const whole = relayed(2, 20 * BYTES_PER_MS);
      const underWay = relayed(3, 100 * BYTES_PER_MS);
      const headers = (count: number) => count * HEADER_BYTES;
      const flows = [carrier([50, 1_000 + headers(1)], [100, 1_000 + 20 * BYTES_PER_MS + headers(2)], [200, 1_000 + 60 * BYTES_PER_MS + headers(3)], [900, 1_000 + 120 * BYTES_PER_MS + headers(3)])];
      const ends = [ended(document, 50), ended(whole, 100), ended(underWay, 900)];
      expect(shares(200, [document, whole, underWay], flows, [document], 0, ends).wasteMs).toBeCloseTo(60, -1);
    });

    it('takes bodies for no more than the relay has made of them', () => {
      const document = relayed(1, 0);
      const picture = relayed(2, 40 * BYTES_PER_MS);
      expect(shares(200, [document, picture], [carrier([100, 20 * BYTES_PER_MS])], [document], 0, [ended(document, 90), ended(picture, 100)]).wasteMs).toBeCloseTo(20);
    });
  });

  it('gives three shares that add up to ISRT exactly, none below zero, whatever the records say', () => {
    const anyLoad = fc.array(fc.record({ bodyBytes: fc.nat(500_000), arrivalMs: fc.double({ min: 0, max: 30_000, noNaN: true }), isNeeded: fc.boolean(), isWhole: fc.boolean() }), { maxLength: 30 });
    fc.assert(
      fc.property(fc.double({ min: 0, max: 60_000, noNaN: true }), anyLoad, fc.nat(10_000_000), (isrtMs, objects, deliveredBytes) => {
        const served = objects.map(({ bodyBytes, isWhole }, port) => response(port, bodyBytes, isWhole ? {} : { streamEnd: null, aborted: true }));
        const flows = objects.map(({ bodyBytes, arrivalMs }, port) => flow(port, [arrivalMs / 2, bodyBytes / 2], [arrivalMs, bodyBytes + HEADER_BYTES]));
        const { neededMs, wasteMs, idleMs } = shares(isrtMs, served, flows, served.filter((_, port) => objects[port]?.isNeeded), deliveredBytes);
        expect(neededMs + wasteMs + idleMs).toBe(isrtMs);
        expect(Math.min(neededMs, wasteMs, idleMs)).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});
