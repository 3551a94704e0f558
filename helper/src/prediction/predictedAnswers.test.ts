import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NO_CORS } from '../../../shared/src/node/reading/elementFetches.ts';
import { PredictedAnswers, type Claim, type DropReason, type PredictedRequest, type Prediction, type PredictionLimits } from './predictedAnswers.ts';
import { ServerCookies } from './serverCookies.ts';

const LIMITS: PredictionLimits = { bytes: 1_000, partitionBytes: 600, count: 6, partitionCount: 4, quietMs: 30, loadMs: 60 };
const HEADERS = ['Host', 'a.test', 'Accept', '*/*', 'Referer', 'http://a.test/', 'Cookie', 'a=1'];
const request = (overrides: Partial<PredictedRequest> = {}): PredictedRequest => ({ url: 'http://a.test/x', partition: 'a', page: 'a', direction: 'a b', load: 0, headers: HEADERS, mode: NO_CORS, destination: 'image', isPromised: false, ...overrides });
const asked = (headers: readonly string[] = HEADERS, method = 'GET'): Parameters<PredictedAnswers<string>['claim']>[0] => ({ method, url: 'http://a.test/x', partition: 'a', headers });

interface Store {
  readonly store: PredictedAnswers<string>;
  readonly drops: [string, DropReason][];
}
function make(limits: Partial<PredictionLimits> = {}, serverCookies = new ServerCookies()): Store {
  const drops: Store['drops'] = [];
  return { store: new PredictedAnswers<string>({ ...LIMITS, ...limits }, serverCookies, (answer, reason) => void drops.push([answer, reason])), drops };
}
function predicted(store: PredictedAnswers<string>, response?: readonly string[]): Prediction<string> {
  const prediction = store.put(request(), 'x', 0)!;
  if (response !== undefined) store.started(prediction, { status: 200, headers: response });
  return prediction;
}

describe('what is claimed', () => {
  it('goes to one request, whole or not yet', () => {
    const { store, drops } = make();
    const prediction = predicted(store);
    expect(store.claim(asked(), 1)?.answer).toBe('x');
    expect(store.claim(asked(), 1)).toBeNull();
    store.started(prediction, { status: 503, headers: [] });
    store.received(prediction, 5_000, 2);
    store.advance(1_000);
    expect(drops).toEqual([]);
    expect(store.waste).toEqual({ foreseen: 1, claimed: 1, claimedBytes: 5_000, wastedBytes: 0, unnamed: 0 });
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
    ['one more cookie', [...HEADERS, 'Cookie', 'b=1']],
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
    expect([claim?.suits(head(['Vary', 'Accept'])), claim?.suits(head(['Vary', 'priority']))]).toEqual([true, false]);
  });

  it('cookies in crumbs are the cookies in one field', () => {
    const { store } = make();
    store.put(request({ headers: HEADERS.with(7, 'a=1; b=2') }), 'x', 0);
    expect(store.claim(asked([...HEADERS, 'Cookie', 'b=2']), 1)).not.toBeNull();
  });

  it.each([
    ['is for everybody', 200, ['Cache-Control', 'public, max-age=60'], true],
    ['never changes', 200, ['Cache-Control', 'max-age=60, IMMUTABLE'], true],
    ['may be kept by the browser alone', 200, ['Cache-Control', 'private, max-age=60, immutable'], false],
    ['may be kept', 200, ['Cache-Control', 'max-age=60'], true],
    ['may not be kept', 200, ['Cache-Control', 'public, no-store'], false],
    ['has to be asked for again', 200, ['Cache-Control', 'public, no-cache'], false],
    ['is stale', 200, ['Cache-Control', 'public, max-age=60', 'Age', '60'], false],
    ['says nothing', 200, [], false],
    ['is an error', 404, ['Cache-Control', 'public, max-age=60'], false],
    ['sets a cookie', 200, ['Cache-Control', 'public, max-age=60', 'Set-Cookie', 'c=1'], false],
    ['varies with them', 200, ['Cache-Control', 'public, max-age=60', 'Vary', 'Cookie'], false],
  ])('cookies that have come since do not matter to an answer only if it %s', (_, status, headers, isClaimed) => {
    const other = HEADERS.with(7, 'a=1; b=2');
    expect(predictedClaim(other, headers, status) !== null).toBe(isClaimed);
    expect(predictedClaim(other, undefined)?.suits(head(headers, status))).toBe(isClaimed);
  });

  describe.each([
    ['changed', HEADERS.with(7, 'a=2; b=2')],
    ['gone', HEADERS.with(7, 'b=2')],
    ['gone, with all others', HEADERS.slice(0, 6)],
  ])('a cookie that has %s does not matter', (_, other) => {
    const givenBy = (setCookie: string) => (cacheControl: string): boolean => {
      const cookies = new ServerCookies();
      cookies.answered('http://www.a.test', ['Set-Cookie', setCookie]);
      return [true, false].every((hasStarted) => {
        const response = ['Cache-Control', cacheControl, 'Last-Modified', 'Thu, 01 Jan 2026 00:00:00 GMT'];
        const { store } = make({}, cookies);
        const prediction = predicted(store, hasStarted ? response : undefined);
        const claim = store.claim(asked(other), 1);
        if (!hasStarted) store.started(prediction, head(response));
        return claim?.suits(head(response)) === true;
      });
    };

    it.each([
      ['public, max-age=60', true], ['max-age=60, immutable', true], ['max-age=60', true], ['max-age=60, s-maxage=0', false],
      ['private, max-age=60', false], ['', false], ['no-store', false],
    ])('where scripts alone have set it, to an answer with %j: %s', (cacheControl, isGiven) => expect(givenBy('b=1; Path=/')(cacheControl)).toBe(isGiven));

    it.each([
      ['public, max-age=60', true], ['max-age=60, immutable', true], ['max-age=60', false],
    ])('where a server of its site has set it, to an answer with %j: %s', (cacheControl, isGiven) => expect(givenBy('a=0; Path=/; HttpOnly')(cacheControl)).toBe(isGiven));
  });

  it.each([
    ['may be kept by a cache', ['Cache-Control', 'max-age=60'], true],
    ['may be kept by the browser alone', ['Cache-Control', 'private, max-age=60'], true],
    ['may not be kept', ['Cache-Control', 'no-store'], false],
    ['says nothing', [], false],
    ['varies with it', ['Cache-Control', 'max-age=60', 'Vary', 'Referer'], false],
  ])('which of two style sheets asks does not matter to an answer only if it %s', (_, response, isClaimed) => {
    const other = HEADERS.with(5, 'http://a.test/b.css');
    expect(predictedClaim(other, response) !== null).toBe(isClaimed);
    expect(predictedClaim(other, undefined)?.suits(head(response))).toBe(isClaimed);
    for (const elsewhere of [HEADERS.with(5, 'http://b.test/b.css'), HEADERS.toSpliced(4, 2)]) expect(predictedClaim(elsewhere, response)).toBeNull();
  });

  it.each([
    ['no-store', ['Cache-Control', 'no-store']],
    ['private', ['Cache-Control', 'private, must-revalidate']],
    ['a cookie', ['Set-Cookie', 'c=1']],
  ])('the very same request gets an answer with %s, as from a preload', (_, response) => expect(predictedClaim(HEADERS, response)).not.toBeNull());

  it.each([[200, ['Vary', '*']], [503, []], [421, []], [429, []]])('an answer of status %i with %j is not kept', (status, headers) => {
    const { store, drops } = make();
    store.started(predicted(store), { status, headers });
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

const head = (headers: readonly string[], status = 200): { readonly status: number; readonly headers: readonly string[] } => ({ status, headers });

function predictedClaim(headers: readonly string[], response?: readonly string[], status = 200): Claim<string> | null {
  const { store } = make();
  const prediction = predicted(store);
  if (response !== undefined) store.started(prediction, head(response, status));
  return store.claim(asked(headers), 1);
}

describe('what nobody claims', () => {
  it('is kept as long as anything moves for its page, and is waste when nothing does', () => {
    const { store, drops } = make({ loadMs: 1_000 });
    const first = predicted(store, []);
    store.put(request({ url: 'http://a.test/y' }), 'y', 0);
    store.received(first, 100, 25);
    store.moved('a', 50);
    store.claim({ ...asked(), url: 'http://a.test/other' }, 75);
    expect(store.nextTimerMs).toBe(105);
    store.advance(104);
    expect(drops).toEqual([]);
    store.moved('b', 104);
    store.advance(105);
    expect(drops).toEqual([['x', 'unclaimed'], ['y', 'unclaimed']]);
    expect(store.nextTimerMs).toBeNull();
    expect(store.waste).toEqual({ foreseen: 2, claimed: 0, claimedBytes: 0, wastedBytes: 100, unnamed: 0 });
  });

  it('of a style sheet of another origin is kept while its page loads', () => {
    const { store, drops } = make();
    store.put(request({ partition: 'sheet' }), 'x', 0);
    store.moved('a', 20);
    store.advance(40);
    expect(drops).toEqual([]);
    store.advance(50);
    expect(drops).toEqual([['x', 'unclaimed']]);
  });

  it('is dropped at the end of the longest load', () => {
    const { store, drops } = make();
    predicted(store, []);
    for (const nowMs of [20, 40, 59]) store.moved('a', nowMs);
    store.advance(59);
    expect(drops).toEqual([]);
    store.advance(60);
    expect(drops).toEqual([['x', 'unclaimed']]);
  });

  it('is not given out late even when nobody has looked at the clock', () => {
    const { store } = make();
    predicted(store);
    expect(store.claim(asked(), 60)).toBeNull();
  });

  it('is not foreseen again, whatever its query', () => {
    const { store } = make();
    predicted(store, []);
    store.advance(60);
    const another = (url: string): boolean => store.mayPut(request({ url }));
    expect([another('http://a.test/x?2'), another('http://a.test/y')]).toEqual([false, true]);
  });

  it('is not foreseen again, and other pictures that the same path makes are', () => {
    const { store } = make();
    const made = (name: string): PredictedRequest => request({ url: `http://a.test/image?url=%2F${name}.png&w=640` });
    store.put(made('a'), 'x', 0);
    store.advance(60);
    expect([store.mayPut(made('a')), store.mayPut(made('b'))]).toEqual([false, true]);
  });

  it('stops foresight in its direction after two loads', () => {
    const { store } = make();
    for (const load of [0, 1]) {
      for (const name of ['a', 'b']) expect(store.put(request({ url: `http://a.test/${name}${load}`, load }), 'x', load * 100)).not.toBeNull();
      store.advance(load * 100 + 60);
    }
    const next = { url: 'http://a.test/new', load: 2 };
    expect([store.mayPut(request(next)), store.mayPut(request({ ...next, direction: 'a c' }))]).toEqual([false, true]);
  });

  it('does not, where it is less than a tenth', () => {
    const { store } = make({ count: 100, partitionCount: 100 });
    for (const load of [0, 1]) {
      for (let i = 0; i < 20; i += 1) {
        const url = `http://a.test/${load}/${i}`;
        store.put(request({ url, load }), 'x', load * 100);
        if (i > 0) store.claim({ ...asked(), url }, load * 100);
      }
      store.advance(load * 100 + 60);
    }
    expect(store.mayPut(request({ url: 'http://a.test/new' }))).toBe(true);
  });

  it.each([
    ['that the browser has asked for in another way', ['X-Mine', '1'], []],
    ['that has set a cookie', [], ['Set-Cookie', 'c=1']],
  ])('and one %s stops it at once', (_, more, response) => {
    const { store } = make();
    predicted(store, response);
    if (more.length > 0) store.claim(asked([...HEADERS, ...more]), 1);
    store.advance(60);
    expect(store.mayPut(request({ url: 'http://a.test/y' }))).toBe(false);
  });

  it('that fails teaches nothing', () => {
    const { store } = make();
    for (const load of [0, 1, 2]) store.failed(store.put(request({ load }), 'x', 0)!);
    expect(store.mayPut(request())).toBe(true);
  });
});

describe('what is remembered of a page and no part of it any more', () => {
  it('is dropped, and waste that teaches', () => {
    const { store, drops } = make();
    store.received(predicted(store), 5, 1);
    store.unnamed('http://a.test/x', 0);
    expect(drops).toEqual([['x', 'unnamed']]);
    expect(store.waste).toMatchObject({ wastedBytes: 5, unnamed: 1 });
    expect(store.mayPut(request())).toBe(false);
  });

  it.each<[string, number, (store: PredictedAnswers<string>) => unknown]>([
    ['a document or a style sheet names it', 0, (store) => store.named('http://a.test/x', null)],
    ['the memory has it for another load', 0, (store) => store.named('http://a.test/x', 1)],
    ['it was foreseen for another load', 1, () => undefined],
    ['the browser has claimed it', 0, (store) => store.claim(asked(), 1)],
  ])('stays when %s', (_, load, wanted) => {
    const { store, drops } = make();
    predicted(store);
    store.named('http://a.test/x', 0);
    wanted(store);
    store.unnamed('http://a.test/x', load);
    expect(drops).toEqual([]);
  });
});

describe('in any order of events', () => {
  const event = fc.oneof(
    fc.record({ type: fc.constant('put' as const), url: fc.nat(5), partition: fc.nat(2), cookie: fc.nat(1) }),
    fc.record({ type: fc.constant('claim' as const), url: fc.nat(5), partition: fc.nat(2), cookie: fc.nat(1) }),
    fc.record({ type: fc.constantFrom('started' as const, 'failed' as const), which: fc.nat(30) }),
    fc.record({ type: fc.constant('received' as const), which: fc.nat(30), bytes: fc.nat(400) }),
    fc.record({ type: fc.constant('wait' as const), ms: fc.nat(30) }),
    fc.record({ type: fc.constant('named' as const), url: fc.nat(5) }),
    fc.record({ type: fc.constant('unnamed' as const), url: fc.nat(5) }),
  );

  it('each answer is claimed once or dropped once, by a request like its own, within the bounds, and all bytes are counted', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 120 }), (events) => {
        const claimed: string[] = [];
        const drops: string[] = [];
        const store = new PredictedAnswers<string>(LIMITS, new ServerCookies(), (answer) => void drops.push(answer));
        const put: { readonly prediction: Prediction<string>; readonly answer: string; readonly headers: string }[] = [];
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
          } else if (each.type === 'named' || each.type === 'unnamed') {
            // all of them are of load 0
            if (each.type === 'named') store.named(`http://a.test/${each.url}`, null);
            else store.unnamed(`http://a.test/${each.url}`, 0);
          } else if (each.type === 'wait') {
            nowMs += each.ms;
            store.advance(nowMs);
          } else {
            const chosen = put[each.which % Math.max(1, put.length)];
            if (chosen === undefined) continue;
            if ('bytes' in each) {
              store.received(chosen.prediction, each.bytes, nowMs);
              received += each.bytes;
            } else if (each.type === 'started') store.started(chosen.prediction, head([]));
            else store.failed(chosen.prediction);
          }
          const kept = put.filter(({ prediction }) => prediction.state === 'kept');
          expect(kept.reduce((sum, { prediction }) => sum + prediction.bytes, 0)).toBeLessThanOrEqual(LIMITS.bytes);
          expect(kept.length).toBeLessThanOrEqual(LIMITS.count);
        }
        store.close();
        expect([...claimed, ...drops].sort()).toEqual(put.map(({ answer }) => answer).sort());
        const { foreseen: all, claimed: count, claimedBytes, wastedBytes } = store.waste;
        expect([all, count, claimedBytes + wastedBytes]).toEqual([put.length, claimed.length, received]);
      }),
      { numRuns: 1_000 },
    );
  });
});
