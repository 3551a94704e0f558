import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestEvent } from '../../../../shared/src/requests/requestEvent.ts';
import { requestWays } from '../../../../shared/src/requests/requestWays.ts';
import { phasesOf, durations, type Phase } from './phases.ts';
import { START_MS, testRequest, testWay } from './testing.ts';

const URL_A = 'https://a.test/a.jpg';
const NOW_MS = START_MS + 9_000;
const shown = (phases: readonly Phase[]): unknown[] => phases.map(({ kind, fromMs, toMs }) => [kind, fromMs - START_MS, toMs - START_MS]);
const wayOf = (events: readonly RequestEvent[]) => requestWays(events).requests[0]!;

describe('the phases of a request', () => {
  it('are those that the browser tells, where the helper tells nothing', () => {
    const browser = testRequest(0, URL_A, 0, 100, { timings: { blocked: 20, dns: 5, connect: 25, ssl: 10, send: 1, wait: 29, receive: 20 } });
    expect(shown(phasesOf({ browser, way: null }, [{ fromMs: START_MS + 5, toMs: START_MS + 15 }], NOW_MS))).toEqual([
      ['queue', 0, 5], ['gate', 5, 15], ['queue', 15, 20], ['connect', 20, 50], ['wait', 50, 80], ['transfer', 80, 100],
    ]);
  });

  it('are those of the helper, where it carries the request, until the browser has it', () => {
    const events: RequestEvent[] = [
      { type: 'asked', atMs: START_MS + 5, request: 0, url: URL_A, fetchClass: 2 },
      { type: 'waiting', atMs: START_MS + 5, request: 0, reason: 'connection' },
      { type: 'waiting', atMs: START_MS + 20, request: 0, reason: 'order' },
      { type: 'sent', atMs: START_MS + 30, request: 0, connection: 1, fetchClass: 2 },
      { type: 'firstByte', atMs: START_MS + 50, request: 0 },
      { type: 'preempted', atMs: START_MS + 60, request: 0, bytes: 5 },
      { type: 'resumed', atMs: START_MS + 80, request: 0 },
      { type: 'end', atMs: START_MS + 95, request: 0, ending: 'whole', fetchClass: 1, bytes: 9 },
    ];
    expect(shown(phasesOf({ browser: testRequest(0, URL_A, 0, 100), way: wayOf(events) }, [], NOW_MS))).toEqual([
      ['queue', 0, 5], ['connect', 5, 20], ['queue', 20, 30], ['wait', 30, 50], ['transfer', 50, 60], ['stop', 60, 80], ['transfer', 80, 95], ['transfer', 95, 100],
    ]);
  });

  it('has come before the browser asks, where it was foreseen', () => {
    const events: RequestEvent[] = [
      { type: 'foreseen', atMs: START_MS, request: 0, url: URL_A, fetchClass: 2 },
      { type: 'sent', atMs: START_MS + 10, request: 0, connection: 1, fetchClass: 2 },
      { type: 'firstByte', atMs: START_MS + 20, request: 0 },
      { type: 'end', atMs: START_MS + 30, request: 0, ending: 'whole', fetchClass: 2, bytes: 9 },
      { type: 'asked', atMs: START_MS + 505, request: 0, url: URL_A, fetchClass: 1 },
    ];
    const browser = testRequest(0, URL_A, 500, 12);
    expect(shown(phasesOf({ browser, way: wayOf(events) }, [], NOW_MS))).toEqual([['queue', 0, 10], ['wait', 10, 20], ['transfer', 20, 30], ['kept', 30, 500], ['transfer', 500, 512]]);
  });

  it('lasts until now, while it is under way', () => {
    const [asked, sent] = testWay(0, URL_A, 0);
    expect(shown(phasesOf({ browser: null, way: wayOf([asked!, sent!]) }, [], START_MS + 100))).toEqual([['queue', 0, 10], ['wait', 10, 100]]);
  });

  it('have no gap and no overlap, whatever was told', () => {
    const at = fc.nat(1_000).map((ms) => START_MS + ms);
    const event = fc.oneof(
      fc.record({ type: fc.constant('waiting' as const), atMs: at, request: fc.constant(0), reason: fc.constantFrom('connection' as const, 'order' as const) }),
      fc.record({ type: fc.constant('sent' as const), atMs: at, request: fc.constant(0), connection: fc.nat(2), fetchClass: fc.constant(1 as const) }),
      fc.record({ type: fc.constantFrom('firstByte' as const, 'resumed' as const), atMs: at, request: fc.constant(0) }),
      fc.record({ type: fc.constant('preempted' as const), atMs: at, request: fc.constant(0), bytes: fc.nat() }),
      fc.record({ type: fc.constant('end' as const), atMs: at, request: fc.constant(0), ending: fc.constant('whole' as const), fetchClass: fc.constant(1 as const), bytes: fc.nat() }),
    );
    const spans = fc.array(fc.tuple(at, at).map(([a, b]) => ({ fromMs: Math.min(a, b), toMs: Math.max(a, b) })), { maxLength: 2 });
    fc.assert(fc.property(at, fc.array(event, { maxLength: 12 }), spans, fc.option(fc.tuple(fc.nat(1_000), fc.nat(500))), (askedMs, events, held, told) => {
      const way = wayOf([{ type: 'asked', atMs: askedMs, request: 0, url: URL_A, fetchClass: 1 }, ...events.toSorted((a, b) => a.atMs - b.atMs)]);
      const browser = told === null ? null : testRequest(0, URL_A, ...told);
      const phases = phasesOf({ browser, way }, held, START_MS + 1_000);
      phases.forEach(({ fromMs, toMs }, place) => {
        expect(toMs).toBeGreaterThan(fromMs);
        if (place > 0) expect(fromMs).toBe(phases[place - 1]?.toMs);
      });
      const total = Object.values(durations(phases)).reduce((sum, ms) => sum + ms, 0);
      if (phases.length > 0) expect(total).toBeCloseTo(phases.at(-1)!.toMs - phases[0]!.fromMs, 6);
      if (browser !== null && phases.length > 0) expect(phases.at(-1)?.toMs).toBe(browser.endMs);
    }));
  });
});
