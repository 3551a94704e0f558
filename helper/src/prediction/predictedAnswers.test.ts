import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_CORS } from '../reading/elementFetches.ts';
import { PredictedAnswers, type Claim, type DropReason, type PredictedRequest, type Prediction, type PredictionLimits } from './predictedAnswers.ts';

const LIMITS: PredictionLimits = { bytes: 1_000, partitionBytes: 600, count: 6, partitionCount: 4, keptMs: 30, pendingMs: 60 };
const HEADERS = ['Host', 'a.test', 'Accept', '*/*', 'Referer', 'http://a.test/', 'Cookie', 'a=1'];
const request = (overrides: Partial<PredictedRequest> = {}): PredictedRequest => ({ url: 'http://a.test/x', partition: 'a', pageKey: 'p', headers: HEADERS, mode: NO_CORS, destination: 'image', ...overrides });
const asked = (headers: readonly string[] = HEADERS, method = 'GET'): Parameters<PredictedAnswers<string>['claim']>[0] => ({ method, url: 'http://a.test/x', partition: 'a', headers });

interface Store {
  readonly store: PredictedAnswers<string>;
  readonly drops: [string, DropReason][];
}
function make(limits: Partial<PredictionLimits> = {}): Store {
  const drops: Store['drops'] = [];
  return { store: new PredictedAnswers<string>({ ...LIMITS, ...limits }, (answer, reason) => void drops.push([answer, reason]), () => 0), drops };
}
function predicted(store: PredictedAnswers<string>, response?: readonly string[]): Prediction {
  const prediction = store.put(request(), 'x', 0)!;
  if (response !== undefined) store.started(prediction, 200, response);
  return prediction;
}

describe('what is claimed', () => {
  it('goes to one request, whole or not yet', () => {
    const { store, drops } = make();
    const prediction = predicted(store);
    expect(store.claim(asked(), 1)?.answer).toBe('x');
    expect(store.claim(asked(), 1)).toBeNull();
    store.started(prediction, 503, []);
    store.received(prediction, 5_000);
    store.ended(prediction, 2);
    store.advance(1_000);
    expect(drops).toEqual([]);
    expect(store.waste).toEqual({ predicted: 1, claimed: 1, claimedBytes: 5_000, wastedBytes: 0 });
  });

  it.each([
    ['in another order and case', ['cookie', 'a=1', 'HOST', 'a.test', 'referer', 'http://a.test/', 'accept', '*/*']],
    ['with another priority', [...HEADERS, 'Priority', 'u=1']],
    ['with metadata that fits', [...HEADERS, 'Proxy-Connection', 'keep-alive']],
  ])('by a request %s', (_, headers) => expect(predictedClaim(headers)).not.toBeNull());

  it.each([
    ['a range', [...HEADERS, 'Range', 'bytes=0-']],
    ['a copy', [...HEADERS, 'If-None-Match', '"x"']],
    ['an older copy', [...HEADERS, 'If-Modified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT']],
    ['a password', [...HEADERS, 'Authorization', 'Basic x']],
    ['another cookie', HEADERS.with(7, 'a=2')],
    ['no cookie', HEADERS.slice(0, 6)],
    ['one more cookie field', [...HEADERS, 'Cookie', 'b=1']],
    ['another Accept', HEADERS.with(3, 'image/*')],
    ['another Referer', HEADERS.with(5, 'http://a.test/y')],
    ['a Referer of another origin', HEADERS.with(5, 'http://b.test/')],
    ['no Referer', HEADERS.toSpliced(4, 2)],
    ['a forced reload', [...HEADERS, 'Cache-Control', 'no-cache']],
    ['a field of a script', [...HEADERS, 'X-Requested-With', 'x']],
    ['an origin', [...HEADERS, 'Origin', 'http://a.test']],
    ['another mode', [...HEADERS, 'Sec-Fetch-Mode', 'cors']],
  ])('not by a request with %s; and then by nobody', (_, headers) => {
    const { store, drops } = make();
    predicted(store, []);
    expect(store.claim(asked(headers), 1)).toBeNull();
    expect(drops).toEqual([['x', 'mismatch']]);
    expect(store.claim(asked(), 1)).toBeNull();
  });

  it('what differs freely counts where Vary says so, before and after the fields are there', () => {
    const other = [...HEADERS, 'Priority', 'u=1'];
    expect(predictedClaim(other, ['Vary', 'Accept, PRIORITY'])).toBeNull();
    expect(predictedClaim(HEADERS, ['Vary', 'Accept, PRIORITY'])).not.toBeNull();
    const claim = predictedClaim(other, undefined);
    expect([claim?.suits(['Vary', 'Accept']), claim?.suits(['Vary', 'priority'])]).toEqual([true, false]);
  });

  it.each([
    ['may be kept by a cache', ['Cache-Control', 'max-age=60'], true],
    ['may not be kept', ['Cache-Control', 'no-store'], false],
    ['says nothing', [], false],
    ['varies with them', ['Cache-Control', 'max-age=60', 'Vary', 'Cookie'], false],
  ])('cookies that a script has set meanwhile do not matter to an answer only if it %s', (_, response, isClaimed) => {
    const other = HEADERS.with(7, 'a=1; b=2');
    expect(predictedClaim(other, response) !== null).toBe(isClaimed);
    expect(predictedClaim(other, undefined)?.suits(response)).toBe(isClaimed);
  });

  it.each([
    ['may be kept by a cache', ['Cache-Control', 'max-age=60'], true],
    ['may not be kept', ['Cache-Control', 'no-store'], false],
    ['says nothing', [], false],
    ['varies with it', ['Cache-Control', 'max-age=60', 'Vary', 'Referer'], false],
  ])('which of two style sheets asks does not matter to an answer only if it %s', (_, response, isClaimed) => {
    const other = HEADERS.with(5, 'http://a.test/b.css');
    expect(predictedClaim(other, response) !== null).toBe(isClaimed);
    expect(predictedClaim(other, undefined)?.suits(response)).toBe(isClaimed);
    for (const elsewhere of [HEADERS.with(5, 'http://b.test/b.css'), HEADERS.toSpliced(4, 2)]) expect(predictedClaim(elsewhere, response)).toBeNull();
  });

  it.each([[200, ['Vary', '*']], [500, []], [401, []], [429, []]])('an answer of status %i with %j is not kept', (status, headers) => {
    const { store, drops } = make();
    store.started(predicted(store), status, headers);
    expect(drops).toEqual([['x', 'unsuitable']]);
  });

  it('what was changed by a request is fetched anew; a HEAD changes nothing', () => {
    const { store, drops } = make();
    predicted(store);
    expect(store.claim(asked(HEADERS, 'HEAD'), 1)).toBeNull();
    expect(drops).toEqual([]);
    expect(store.claim(asked(HEADERS, 'POST'), 1)).toBeNull();
    expect(drops).toEqual([['x', 'changed']]);
  });

  it('not by another partition, which leaves it alone', () => {
    const { store } = make();
    predicted(store);
    expect(store.claim({ ...asked(), partition: 'b' }, 1)).toBeNull();
    expect(store.claim(asked(), 1)).not.toBeNull();
  });
});

function predictedClaim(headers: readonly string[], response?: readonly string[]): Claim<string> | null {
  const { store } = make();
  predicted(store, response);
  return store.claim(asked(headers), 1);
}

describe('what nobody claims', () => {
  it('is dropped a while after it is complete, or when it does not become so, and is waste', () => {
    const { store, drops } = make();
    const first = predicted(store, []);
    store.put(request({ url: 'http://a.test/y' }), 'y', 0);
    store.received(first, 100);
    store.ended(first, 10);
    expect(store.nextTimerMs).toBe(40);
    store.advance(39);
    expect(drops).toEqual([]);
    store.advance(40);
    store.advance(60);
    expect(drops).toEqual([['x', 'expired'], ['y', 'expired']]);
    expect(store.nextTimerMs).toBeNull();
    expect(store.waste).toEqual({ predicted: 2, claimed: 0, claimedBytes: 0, wastedBytes: 100 });
  });

  it('is not given out late even when nobody has looked at the clock', () => {
    const { store } = make();
    predicted(store);
    expect(store.claim(asked(), 60)).toBeNull();
  });

  it('stops predictions for its kind of page, and for no other', () => {
    const { store } = make({ bytes: 1e9, partitionBytes: 1e9 });
    for (let i = 0; i < 10; i += 1) {
      expect(store.mayPredict('p')).toBe(true);
      const prediction = predicted(store, []);
      store.received(prediction, 10_000);
      if (i < 8) store.claim(asked(), 0);
      else store.failed(prediction);
    }
    expect([store.mayPredict('p'), store.mayPredict('q')]).toEqual([false, true]);
  });

  it('is judged anew when much more has come', () => {
    const { store } = make({ bytes: 1e9, partitionBytes: 1e9 });
    const fetchOne = (bytes: number, isClaimed: boolean): void => {
      const prediction = predicted(store, []);
      store.received(prediction, bytes);
      if (isClaimed) store.claim(asked(), 0);
      else store.failed(prediction);
    };
    for (let i = 0; i < 10; i += 1) fetchOne(1_000_000, i >= 2);
    expect(store.mayPredict('p')).toBe(false);
    for (let i = 0; i < 10; i += 1) fetchOne(1_000_000, true);
    expect(store.mayPredict('p')).toBe(true);
  });
});

describe('in any order of events', () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('put' as const), url: fc.nat(5), partition: fc.nat(2), cookie: fc.nat(1) }),
    fc.record({ type: fc.constant('claim' as const), url: fc.nat(5), partition: fc.nat(2), cookie: fc.nat(1) }),
    fc.record({ type: fc.constantFrom('started' as const, 'ended' as const, 'failed' as const), which: fc.nat(30) }),
    fc.record({ type: fc.constant('received' as const), which: fc.nat(30), bytes: fc.nat(400) }),
    fc.record({ type: fc.constant('wait' as const), ms: fc.nat(30) }),
  );

  it('each answer is claimed once or dropped once, by a request like its own, within the bounds, and all bytes are counted', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const claimed: string[] = [];
        const drops: string[] = [];
        const store = new PredictedAnswers<string>(LIMITS, (answer) => void drops.push(answer), () => 0);
        const put: { readonly prediction: Prediction; readonly answer: string; readonly headers: string }[] = [];
        let [nowMs, received] = [0, 0];
        for (const each of events) {
          if (each.type === 'put' || each.type === 'claim') {
            const [url, partition, headers] = [`http://a.test/${each.url}`, `p${each.partition}`, ['Accept', `a=${each.cookie}`]];
            if (each.type === 'put') {
              const answer = `${put.length} ${url} ${partition} ${headers.join()}`;
              const prediction = store.put(request({ url, partition, headers }), answer, nowMs);
              if (prediction !== null) put.push({ prediction, answer, headers: headers.join() });
            } else {
              const claim = store.claim({ method: 'GET', url, partition, headers }, nowMs);
              if (claim !== null) {
                expect(claim.answer.split(' ').slice(1)).toEqual([url, partition, headers.join()]);
                claimed.push(claim.answer);
              }
            }
          } else if (each.type === 'wait') {
            nowMs += each.ms;
            store.advance(nowMs);
          } else {
            const chosen = put[each.which % Math.max(1, put.length)];
            if (chosen === undefined) continue;
            if ('bytes' in each) {
              store.received(chosen.prediction, each.bytes);
              received += each.bytes;
            } else if (each.type === 'started') store.started(chosen.prediction, 200, []);
            else if (each.type === 'ended') store.ended(chosen.prediction, nowMs);
            else store.failed(chosen.prediction);
          }
          expect(store.heldBytes).toBeLessThanOrEqual(LIMITS.bytes);
          expect(store.count).toBeLessThanOrEqual(LIMITS.count);
        }
        store.close();
        expect([...claimed, ...drops].sort()).toEqual(put.map(({ answer }) => answer).sort());
        expect(store.heldBytes).toBe(0);
        const { predicted: all, claimed: count, claimedBytes, wastedBytes } = store.waste;
        expect([all, count, claimedBytes + wastedBytes]).toEqual([put.length, claimed.length, received]);
      }),
      { numRuns: 1_000 },
    );
  });
});
