import { describe, expect, it } from 'vitest';
import { analyse } from './analyse.ts';
import { MAIN_FRAME, PAGE_URL, START_MS, relayedArtifacts, testArtifacts, testFrame, type TestObject } from './testArtifacts.ts';

const LEFT = { x: 0, y: 0, width: 10, height: 10 };
const RIGHT = { x: 20, y: 0, width: 10, height: 10 };
const left = { url: 'http://site.test/left.png', kind: 'image', rect: LEFT } as const;
const right = { url: 'http://site.test/right.png', kind: 'background', rect: RIGHT } as const;
const page: TestObject = { url: PAGE_URL, type: 'document', arrivalMs: 200, initiatorUrl: null };

const frames = [testFrame(-10, []), testFrame(250, []), testFrame(450, [LEFT]), testFrame(900, [LEFT, RIGHT])];

describe('analyse', () => {
  it('takes the later of arrival at the link and paint, over all that is in view', () => {
    const artifacts = testArtifacts([page, { url: left.url, arrivalMs: 400 }, { url: right.url, arrivalMs: 800 }, { url: 'http://site.test/below.png', arrivalMs: 3_000 }], [left, right]);
    const metrics = analyse(artifacts, frames, 1);
    expect(metrics.isrtMs).toBe(900);
    expect(metrics.isrtArrivalMs).toBe(800);
    expect(metrics.allObjectsMs).toBe(3_000);
    expect(metrics.needed[0]).toMatchObject({ url: right.url, kind: 'background', arrivalMs: 800, paintMs: 900, settled: true });
    expect(metrics.needed.map(({ url }) => url)).not.toContain('http://site.test/below.png');
  });

  it('does not believe a paint before the last byte: what is faked inside the browser counts for nothing', () => {
    const early = [testFrame(-10, []), testFrame(250, [LEFT])];
    const metrics = analyse(testArtifacts([page, { url: left.url, arrivalMs: 2_000 }], [left]), early, 1);
    expect(metrics.isrtMs).toBe(2_000);
  });

  it('counts no image that the server refused, and names one that never came', () => {
    const refused = testArtifacts([page, { url: left.url, arrivalMs: 400, status: 404 }, { url: right.url, arrivalMs: null }], [left, right]);
    const metrics = analyse(refused, frames, 1);
    expect(metrics.needed.map(({ url }) => url)).toEqual([PAGE_URL]);
    expect(metrics.missing).toEqual([right.url]);
  });

  it('follows a redirect of the server to the response that brought the bytes, but not one inside the browser', () => {
    const target = 'http://cdn.test/left.png';
    const served = testArtifacts([page, { url: left.url, arrivalMs: 300, status: 302 }, { url: target, arrivalMs: 700 }], [left], { redirects: new Map([[left.url, target]]) });
    expect(analyse(served, frames, 1).isrtArrivalMs).toBe(700);
    const inside = testArtifacts([page], [left], { redirects: new Map([[left.url, PAGE_URL]]) });
    expect(analyse(inside, frames, 1).missing).toEqual([left.url]);
  });

  it('counts the bytes of a layout file once that was asked for by a redirect', () => {
    const [from, to] = ['http://site.test/old.css', 'http://cdn.test/new.css'];
    const objects = [page, { url: from, type: 'stylesheet', arrivalMs: 300, status: 302, bytes: 10 }, { url: to, type: 'stylesheet', arrivalMs: 400, bytes: 7_000 }];
    const metrics = analyse(testArtifacts(objects, [], { redirects: new Map([[from, to]]) }), frames, 1);
    expect(metrics.needed.map(({ url }) => url)).toEqual([from, to, PAGE_URL]);
    expect(metrics.firstScreenBytes).toBe(8_000);
  });

  it.each([
    ['a style sheet that applies', { type: 'stylesheet', arrivalMs: 600 }, true],
    ['a font', { type: 'font', arrivalMs: 600 }, true],
    ['a script before DOMContentLoaded', { type: 'script', arrivalMs: 450 }, true],
    ['a script after DOMContentLoaded', { type: 'script', arrivalMs: 600 }, false],
    ['data', { type: 'xhr', arrivalMs: 450 }, false],
    ['a font of a frame that is out of view', { type: 'font', arrivalMs: 600, frameId: 'elsewhere' }, false],
  ])('needs %s: %j -> %s', (_, file, expected) => {
    const url = 'http://site.test/file';
    const metrics = analyse(testArtifacts([page, { url, ...file }], []), frames, 1);
    expect(metrics.needed.some((object) => object.url === url)).toBe(expected);
  });

  it('leaves out a style sheet whose media do not match', () => {
    const url = 'http://site.test/print.css';
    const artifacts = testArtifacts([page, { url, type: 'stylesheet', arrivalMs: 600 }], []);
    const [main] = artifacts.layout;
    const metrics = analyse({ ...artifacts, layout: [{ ...main!, unusedStyleSheets: [url] }] }, frames, 1);
    expect(metrics.needed.map((object) => object.url)).toEqual([PAGE_URL]);
  });

  it('takes the arrival of a slide that a timer shows later', () => {
    const late = [testFrame(-10, []), testFrame(450, []), testFrame(4_000, [LEFT])];
    const metrics = analyse(testArtifacts([page, { url: left.url, arrivalMs: 400 }, { url: 'http://site.test/below.png', arrivalMs: 3_900 }], [left]), late, 1);
    expect(metrics.needed.find(({ url }) => url === left.url)).toMatchObject({ paintMs: 400, settled: false });
  });

  it('takes the arrival of a picture in a marquee, which looks as in the end now and then', () => {
    const script = { url: 'http://site.test/late.js', type: 'script', arrivalMs: 850 };
    const objects = [page, { url: left.url, arrivalMs: 400 }, script];
    const paintOf = (...later: typeof frames) => analyse(testArtifacts(objects, [left]), [testFrame(-10, []), testFrame(450, []), testFrame(900, [LEFT]), ...later], 1).needed.find(({ url }) => url === left.url);
    expect(paintOf(testFrame(1_000, []), testFrame(1_100, [LEFT]))).toMatchObject({ paintMs: 400, settled: false });
    expect(paintOf(testFrame(1_100, [LEFT]))).toMatchObject({ paintMs: 900, settled: true });
  });

  it('waits for a paint that a late script caused', () => {
    const late = [testFrame(-10, []), testFrame(450, []), testFrame(4_000, [LEFT])];
    const script = { url: 'http://site.test/late.js', type: 'script', arrivalMs: 3_800 };
    expect(analyse(testArtifacts([page, { url: left.url, arrivalMs: 400 }, script], [left]), late, 1).isrtMs).toBe(4_000);
  });

  it('takes arrivals alone where frames are pictures taken now and then', () => {
    const artifacts = testArtifacts([page, { url: left.url, arrivalMs: 400 }], [left], { isSampled: true });
    const metrics = analyse(artifacts, [testFrame(-10, []), testFrame(700, [LEFT])], 1);
    expect(metrics).toMatchObject({ isrtMs: 400, isrtArrivalMs: 400, visuallyCompleteMs: 700 });
  });

  it('tells where the time went: an image below the view that came before ISRT is waste', () => {
    const below = { url: 'http://site.test/below.png', arrivalMs: 500, bytes: 12_500 };
    const metrics = analyse(testArtifacts([page, { url: left.url, arrivalMs: 400 }, { url: right.url, arrivalMs: 800 }, below], [left, right]), frames, 1);
    // 12,500 bytes at 1 Mbit/s.
    expect(metrics.wasteMs).toBe(100);
    expect(metrics.neededMs + metrics.wasteMs + metrics.idleMs).toBe(metrics.isrtMs);
  });

  it('says when 95 % of the image area was there', () => {
    const big = { url: left.url, kind: 'image', rect: { x: 0, y: 0, width: 19, height: 20 } } as const;
    const small = { url: right.url, kind: 'image', rect: { x: 30, y: 0, width: 4, height: 4 } } as const;
    const metrics = analyse(testArtifacts([page, { url: big.url, arrivalMs: 400 }, { url: small.url, arrivalMs: 2_000 }], [big, small]), [], 1);
    expect(metrics.area95Ms).toBe(400);
    expect(metrics.isrtMs).toBe(2_000);
  });

  it('bounds the time from below by bytes at line rate and round trips that must follow one another', () => {
    const sheet = { url: 'http://site.test/a.css', type: 'stylesheet', arrivalMs: 500, bytes: 20_000 };
    const image = { url: left.url, arrivalMs: 900, bytes: 4_000, initiatorUrl: sheet.url };
    const metrics = analyse(testArtifacts([{ ...page, bytes: 1_000 }, sheet, image], [left]), frames, 1);
    // DNS, TCP and the document's round trip at 100 ms each; 25,000 bytes at 1 Mbit/s, which may come while others go on
    expect(metrics.lowerBoundMs).toBeCloseTo(300 + 200);
    expect(metrics.isrtArrivalMs).toBeGreaterThanOrEqual(metrics.lowerBoundMs);
    // with half of the bytes the sheet's and the image's round trips take longer
    expect(analyse(testArtifacts([page, { ...sheet, bytes: 10_000 }, image], [left]), frames, 1).lowerBoundMs).toBeCloseTo(500);
  });

  it('ignores pixels that still move when all has arrived', () => {
    const blink = { x: 30, y: 10, width: 5, height: 5 };
    const restless = [testFrame(-10, []), testFrame(900, [LEFT]), testFrame(2_000, [LEFT, blink]), testFrame(2_100, [LEFT])];
    const metrics = analyse(testArtifacts([page, { url: left.url, arrivalMs: 800 }], [left]), restless, 1);
    expect(metrics.visuallyCompleteMs).toBe(900);
    // also where they move once
    expect(analyse(testArtifacts([page, { url: left.url, arrivalMs: 800 }], [left]), restless.slice(0, -1), 1).visuallyCompleteMs).toBe(900);
  });

  describe('of a load by a relay', () => {
    const below = { url: 'http://site.test/below.png', arrivalMs: 500, bytes: 12_500 };
    const objects = [page, { url: left.url, arrivalMs: 400 }, { url: right.url, arrivalMs: 800 }, below];

    it('has its numbers as of any other, with the ends that the browser tells', () => {
      const direct = analyse(testArtifacts(objects, [left, right]), frames, 1);
      const relayed = analyse(relayedArtifacts(objects, [left, right]), frames, 1);
      expect(relayed).toMatchObject({ isrtMs: 900, isrtArrivalMs: 800, allObjectsMs: 800, wasteMs: 100 });
      expect(relayed.needed).toEqual(direct.needed);
      expect(relayed.answered).toEqual(direct.answered);
      expect(relayed.neededMs + relayed.wasteMs + relayed.idleMs).toBe(relayed.isrtMs);
      expect([direct.requestsRelayed, relayed.requestsRelayed]).toEqual([0, 4]);
    });

    it('misses what the browser never got, whatever the relay has', () => {
      const artifacts = relayedArtifacts(objects, [left, right]);
      const metrics = analyse({ ...artifacts, requestEnds: artifacts.requestEnds.filter(({ url }) => url !== right.url) }, frames, 1);
      expect(metrics.missing).toEqual([right.url]);
      expect(metrics.answered.map(({ whole }) => whole)).toEqual([true, true, false, true]);
    });

    it('counts the round trips over both hops in the bound', () => {
      const artifacts = testArtifacts([page], []);
      const { profile } = artifacts.link;
      const farther = { ...artifacts.link, profile: { ...profile, secondHop: { rateBitsPerSecond: 1e8, delayMs: 15, loss: 0 } } };
      // names, TCP and the document
      expect(analyse({ ...artifacts, link: farther }, frames, 1).lowerBoundMs - analyse(artifacts, frames, 1).lowerBoundMs).toBeCloseTo(90);
    });
  });

  describe('of a browser that has been there', () => {
    const came = (...urls: string[]) => ({ earlier: { kept: new Set(urls), deliveredBytes: 0 } });
    const bytesOfFirst = 1_000;

    it('has what came before at once, as far as the link goes, and waits for its paint', () => {
      const artifacts = testArtifacts([page], [left], came(PAGE_URL, left.url));
      const metrics = analyse(artifacts, frames, 1);
      expect(metrics.missing).toEqual([]);
      expect(metrics.needed[0]).toMatchObject({ url: left.url, arrivalMs: 0, bytes: 0, paintMs: 450, settled: true });
      expect(metrics).toMatchObject({ isrtMs: 450, isrtArrivalMs: 200, firstScreenBytes: 1_000, wasteMs: 0 });
      expect(metrics.neededMs + metrics.wasteMs + metrics.idleMs).toBe(metrics.isrtMs);
    });

    it('counts as missing what came before and was asked for again in vain', () => {
      const artifacts = testArtifacts([page, { url: left.url, arrivalMs: null }], [left], came(left.url));
      expect(analyse(artifacts, frames, 1).missing).toEqual([left.url]);
    });

    it('can have everything from its cache: the link carried nothing, and no bound is above the time', () => {
      const metrics = analyse(testArtifacts([], [left], { ...came(PAGE_URL, left.url), browserRequests: [{ url: PAGE_URL, type: 'document', frameId: MAIN_FRAME, initiatorUrl: null }] }), [testFrame(-10, []), testFrame(90, [LEFT])], 1);
      expect(metrics).toMatchObject({ isrtMs: 90, isrtArrivalMs: 0, allObjectsMs: 0, idleMs: 90, lowerBoundMs: 0, speedIndexMs: 90 });
    });

    it('takes what was fetched while the page before was read as there at the start, and its bytes for no time of this page', () => {
      const artifacts = testArtifacts([page, { url: left.url, arrivalMs: -500, bytes: 50_000 }, { url: 'http://site.test/unused', arrivalMs: -400, bytes: 50_000 }], [left], came('http://site.test/other'));
      const metrics = analyse(artifacts, frames, 1);
      expect(metrics.needed[0]).toMatchObject({ url: left.url, arrivalMs: 0, paintMs: 450 });
      expect(metrics.wasteMs).toBe(0);
      expect(metrics.bodyBytes).toBe(100_000 + bytesOfFirst);
    });

    it('leaves out what the link had carried before', () => {
      const metrics = analyse(testArtifacts([page], [], { earlier: { kept: new Set(), deliveredBytes: 4_000 } }), frames, 1);
      expect(metrics.bytes).toBe(1_000);
    });

    it('does not take the page before for this one where both look alike', () => {
      const after = [testFrame(-10, [LEFT]), testFrame(250, []), testFrame(450, [LEFT])];
      const metrics = analyse(testArtifacts([page], [left], came(left.url)), after, 1);
      expect(metrics.needed[0]).toMatchObject({ url: left.url, paintMs: 450, settled: true });
      expect(metrics.speedIndexMs).toBe(450);
    });
  });

  it('keeps times relative to the navigation whatever the clock says', () => {
    expect(analyse(testArtifacts([page], [], { domContentLoadedMs: new Map([[MAIN_FRAME, START_MS]]) }), frames, 1).isrtMs).toBe(200);
  });
});
