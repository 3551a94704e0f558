import fc from 'fast-check';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { FetchClass } from '../fetching/fetchObject.ts';
import { RequestEvent } from './requestEvent.ts';
import { RequestRecorder } from './requestRecorder.ts';
import { requestWays } from './requestWays.ts';

const URL_A = 'https://a.test/a.jpg';

function recording(): { readonly events: RequestEvent[]; readonly recorder: RequestRecorder } {
  const events: RequestEvent[] = [];
  let nowMs = 0;
  return { events, recorder: new RequestRecorder((event) => events.push(event), () => nowMs++) };
}

const typesOf = (events: readonly RequestEvent[]): string[] => events.map(({ type }) => type);

describe('RequestRecorder', () => {
  it('tells the way of a request that is asked ahead, stopped and claimed', () => {
    const { events, recorder } = recording();
    recorder.named(URL_A, 'document');
    recorder.foreseen(0, URL_A, FetchClass.unplaced);
    recorder.waiting(0, 'connection');
    recorder.waiting(0, 'connection');
    recorder.sent(0, 3, FetchClass.unplaced);
    recorder.limited(0, false);
    recorder.given(0, 1_000);
    recorder.answered(0, 1_500);
    recorder.received(0, 1_000);
    recorder.ranked(0, FetchClass.inView);
    recorder.asked(0, URL_A, FetchClass.inView, false);
    recorder.given(0, 500);
    recorder.received(0, 500);
    recorder.ended(0, 'whole', FetchClass.inView);
    expect(typesOf(events)).toEqual(['named', 'foreseen', 'waiting', 'sent', 'head', 'firstByte', 'preempted', 'ranked', 'asked', 'resumed', 'end']);
    expect(events.at(-1)).toMatchObject({ ending: 'whole', bytes: 1_500, fetchClass: FetchClass.inView });
    expect(requestWays(events).requests).toMatchObject([{
      url: URL_A, namedBy: 'document', namedMs: 0, foreseenMs: 1, waits: [{ fromMs: 2, reason: 'connection' }], sentMs: 3, connection: 3, sentClass: FetchClass.unplaced,
      headMs: 4, firstByteMs: 5, stops: [{ fromMs: 6, toMs: 9 }], ranks: [{ atMs: 7, fetchClass: FetchClass.inView }], askedMs: 8, endMs: 10, endClass: FetchClass.inView,
    }]);
  });

  it('takes an answer for stopped that has begun without credit, and none that nobody limits, or that is whole', () => {
    const { events, recorder } = recording();
    for (const request of [0, 1, 2]) recorder.sent(request, 0, FetchClass.offScreen);
    for (const request of [0, 2]) recorder.limited(request, false);
    recorder.answered(0, null);
    recorder.answered(1, 100);
    recorder.received(1, 50);
    recorder.answered(2, 0);
    expect(events.flatMap((event) => (event.type === 'preempted' ? [event.request] : []))).toEqual([0]);
  });

  it('takes an answer whose first piece comes in any case for stopped by what comes with that', () => {
    const { events, recorder } = recording();
    recorder.sent(0, 0, FetchClass.offScreen);
    recorder.limited(0, true);
    recorder.answered(0, 100);
    expect(events.at(-1)?.type).toBe('head');
    recorder.received(0, 10);
    expect(events.at(-1)).toMatchObject({ type: 'preempted', bytes: 10 });
  });

  it('begins anew with a request that was lost and is made again', () => {
    const { events, recorder } = recording();
    recorder.asked(0, URL_A, FetchClass.layout, true);
    recorder.sent(0, 1, FetchClass.layout);
    recorder.waiting(0, 'connection');
    recorder.sent(0, 2, FetchClass.layout);
    recorder.received(0, 10);
    recorder.ended(0, 'whole', FetchClass.layout);
    expect(requestWays(events).requests).toMatchObject([{ connection: 2, bytes: 10, ending: 'whole' }]);
  });

  it('names what waits for its origin once, by who has named it first', () => {
    const { events, recorder } = recording();
    recorder.named(URL_A, 'document');
    recorder.deferred(URL_A);
    recorder.named(URL_A, 'document');
    recorder.foreseen(0, URL_A, FetchClass.layout);
    recorder.asked(1, URL_A, FetchClass.layout, true);
    expect(requestWays(events).requests).toMatchObject([{ namedMs: 0, wasDeferred: true, namedBy: 'document' }, { namedMs: null, wasDeferred: false, namedBy: null }]);
  });

  /** Whatever carriers say of three requests, in whatever order; each begins anew with `foreseen` and with `sent`. */
  const calls = fc.array(fc.tuple(fc.nat(2), fc.constantFrom('foreseen', 'claimed', 'waiting', 'sent', 'limited', 'given', 'answered', 'received', 'ended'), fc.nat(3_000)), { maxLength: 80 });

  it('events fit the schema, and no request ends twice, or stops twice without going on, whatever its carriers say', () => {
    fc.assert(fc.property(calls, (said) => {
      const { events, recorder } = recording();
      for (const [request, what, bytes] of said) {
        if (what === 'foreseen') recorder.foreseen(request, URL_A, FetchClass.unplaced);
        else if (what === 'claimed') recorder.asked(request, URL_A, FetchClass.inView, false);
        else if (what === 'waiting') recorder.waiting(request, bytes % 2 === 0 ? 'order' : null);
        else if (what === 'sent') recorder.sent(request, 0, FetchClass.inView);
        else if (what === 'limited') recorder.limited(request, bytes % 2 === 0);
        else if (what === 'ended') recorder.ended(request, 'cancelled', FetchClass.inView);
        else recorder[what](request, bytes);
      }
      for (const event of events) expect(v.parse(RequestEvent, JSON.parse(JSON.stringify(event)))).toEqual(event);
      for (const request of [0, 1, 2]) {
        let [isOpen, isStopped] = [false, false];
        for (const event of events) {
          if (!('request' in event) || event.request !== request) continue;
          if (event.type === 'foreseen' || event.type === 'sent') [isOpen, isStopped] = [true, false];
          else if (event.type !== 'asked') expect(isOpen).toBe(true);
          if (event.type === 'end') isOpen = false;
          if (event.type !== 'preempted' && event.type !== 'resumed') continue;
          expect(isStopped).toBe(event.type === 'resumed');
          isStopped = !isStopped;
        }
      }
    }));
  });
});

describe('requestWays', () => {
  it('passes over what belongs to no request that is known, and leaves open what has not ended', () => {
    const { requests, connections } = requestWays([
      { type: 'lost', atMs: 0, count: 7 },
      { type: 'head', atMs: 1, request: 5, length: null },
      { type: 'connected', atMs: 1, connection: 1, isMultiplexed: true },
      { type: 'connecting', atMs: 2, connection: 2, origin: 'https://a.test' },
      { type: 'asked', atMs: 3, request: 6, url: URL_A, fetchClass: FetchClass.inView },
      { type: 'preempted', atMs: 4, request: 6, bytes: 10 },
    ]);
    expect(requests).toMatchObject([{ request: 6, endMs: null, stops: [{ fromMs: 4, toMs: null }] }]);
    expect(connections).toEqual([{ connection: 2, origin: 'https://a.test', fromMs: 2, toMs: null, isMultiplexed: null, relay: null }]);
  });

  it('knows of a connection what a relay does for it', () => {
    const { events, recorder } = recording();
    for (const [connection, relay] of [[0, null], [1, 'tunnel'], [2, 'requests']] as const) {
      recorder.connecting(connection, 'https://a.test');
      recorder.connected(connection, true, relay);
    }
    expect(requestWays(events).connections.map(({ relay }) => relay)).toEqual([null, 'tunnel', 'requests']);
  });
});
