import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import type { RequestEvent } from '../../../../shared/src/requests/requestEvent.ts';
import { requestWays } from '../../../../shared/src/requests/requestWays.ts';
import { LiveLoad } from './liveLoad.ts';
import { loadModel, type LoadModel } from './loadModel.ts';
import { MAX_PLACES, MAX_SAMPLES, type LoadRecord } from './loadRecord.ts';
import { harOf, readRecording, readRecordingFile, recordingOf } from './recordingFile.ts';
import { START_MS, testRecord, testRequest, testWay } from './testing.ts';

const PAGE = 'https://a.test/';
const RECORD: LoadRecord = testRecord({
  requests: [testRequest(0, PAGE, 0, 90, { kind: 'document' }), testRequest(1, `${PAGE}a.jpg?x=1`, 100), testRequest(2, `${PAGE}b.jpg`, 100, 90, { isCached: true, transferBytes: 0, connection: null })],
  events: testWay(0, `${PAGE}a.jpg?x=1`, 105, 80),
  gate: [{ atMs: START_MS + 101, url: `${PAGE}a.jpg?x=1`, isHeld: true }],
  links: [{ atMs: START_MS, rateBitsPerSecond: 1e6, rttMs: 50, isMeasured: true }],
  timing: { startMs: START_MS, firstPaintMs: 40, contentfulPaintMs: 50, parsedMs: 80, loadedMs: 200 },
  needs: [{ url: `${PAGE}a.jpg?x=1`, kind: 'image' }],
  places: { view: { x: 0, y: 0, width: 9, height: 9 }, page: { width: 9, height: 99 }, images: [{ url: `${PAGE}b.jpg`, rect: { x: 0, y: 50, width: 1, height: 1 } }] },
  isHelped: true,
  twin: { kind: 'measured', load: { firstScreenMs: 900, shares: { neededMs: 500, wasteMs: 300, idleMs: 100 } }, atMs: START_MS, link: { rateBitsPerSecond: 1e6, rttMs: 50 }, loads: 6, isThisLink: true },
});
const modelOf = (record: LoadRecord): LoadModel => loadModel(record, requestWays(record.events), START_MS + 9_000);
const saved = (record: LoadRecord): string => recordingOf(record, modelOf(record));

describe('a recording', () => {
  it('is read as it was written, and comes to the same', () => {
    const read = readRecording(saved(RECORD));
    expect(read).toEqual(RECORD);
    const load = LiveLoad.of(read);
    expect(load.record).toEqual(RECORD);
    expect(loadModel(load.record, load.ways, START_MS + 9_000)).toEqual(modelOf(RECORD));
  });

  it('has nothing of what other tabs have asked the helper for', () => {
    const own: RequestEvent[] = [{ type: 'connecting', atMs: START_MS + 90, connection: 7, origin: 'https://a.test' }, { type: 'lost', atMs: START_MS + 100, count: 3 }, ...RECORD.events];
    const others: RequestEvent[] = [
      { type: 'connecting', atMs: START_MS + 90, connection: 8, origin: 'https://other.test' }, { type: 'named', atMs: START_MS + 95, url: 'https://other.test/x', by: 'document' },
      ...testWay(1, 'https://other.test/?q=secret', 105, 80, 8),
    ];
    const record = { ...RECORD, events: [...others, ...own] };
    const text = saved(record);
    expect(text).not.toContain('other.test');
    expect(readRecording(text).events).toEqual(own);
    expect(modelOf(readRecording(text)).requests).toEqual(modelOf(record).requests);
  });

  it('of a page that was open for days has no more than is read of a file, with the latest of its link and of its places', () => {
    const load = LiveLoad.of(RECORD);
    const [view, page] = [{ x: 0, y: 0, width: 9, height: 9 }, { width: 9, height: 9 }];
    for (let n = 0; n < 10; n += 1) load.hear({ type: 'gate', events: Array.from({ length: MAX_SAMPLES / 10 }, () => ({ atMs: START_MS, url: PAGE, isHeld: true })) });
    for (let n = 0; n <= MAX_SAMPLES; n += 1) load.hear({ type: 'link', link: { atMs: START_MS, rateBitsPerSecond: n, rttMs: 50, isMeasured: true } });
    for (let n = 0; n <= MAX_PLACES; n += 1) load.hear({ type: 'shown', view, page, images: [{ url: `${PAGE}${n}.jpg`, rect: view }] });
    const { gate, links, places } = load.record;
    expect([load.isCut, gate.length, links.length, places?.images.length]).toEqual([true, MAX_SAMPLES, MAX_SAMPLES, MAX_PLACES]);
    expect([links.at(-1)?.rateBitsPerSecond, places?.images.at(-1)?.url]).toEqual([MAX_SAMPLES, `${PAGE}${MAX_PLACES}.jpg`]);
  });

  it('of a release that kept no twin is read as one that was compared with nothing', () => {
    const { twin: _, ...before } = RECORD;
    expect(readRecording(JSON.stringify(before))).toEqual({ ...RECORD, twin: null });
  });

  it('as HAR has what HAR 1.2 asks for, without cookies and fields, and what is ours', () => {
    const { log } = JSON.parse(harOf(RECORD, modelOf(RECORD), '0.1.0')) as { log: { version: string; pages: { id: string }[]; entries: Record<string, unknown>[] } };
    expect(log.version).toBe('1.2');
    expect(log.entries).toHaveLength(3);
    for (const entry of log.entries) {
      expect(entry).toMatchObject({
        pageref: log.pages[0]?.id, startedDateTime: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string, time: expect.any(Number) as number, cache: {},
        request: { cookies: [], headers: [], headersSize: -1, bodySize: -1, queryString: expect.any(Array) as unknown[] },
        response: { cookies: [], headers: [], redirectURL: '', content: { size: expect.any(Number) as number, mimeType: expect.any(String) as string } },
        timings: { send: expect.any(Number) as number, wait: expect.any(Number) as number, receive: expect.any(Number) as number },
      });
    }
    expect(log.entries[1]).toMatchObject({ request: { queryString: [{ name: 'x', value: '1' }] }, _firstscreen: { class: 'inView', helperConnection: 7 } });
  });

  it('as HAR keeps the browser\'s side of the load, and what the first screen needed', () => {
    const read = readRecording(harOf(RECORD, modelOf(RECORD), '0.1.0'));
    expect(read.requests.map(({ url, startMs, endMs, kind, isCached, connection, timings }) => ({ url, startMs, endMs, kind, isCached, connection, timings })))
      .toEqual(RECORD.requests.map(({ url, startMs, endMs, kind, isCached, connection, timings }) => ({ url, startMs, endMs, kind, isCached, connection, timings })));
    expect(read).toMatchObject({ startMs: START_MS, url: PAGE, timing: { contentfulPaintMs: 50, parsedMs: 80, loadedMs: 200 }, events: [] });
    expect(modelOf(read).firstScreenMs).toBe(modelOf({ ...RECORD, events: [], gate: [] }).firstScreenMs);
  });

  it('of another HAR may have odd entries: those are passed over', () => {
    const har = JSON.parse(harOf(RECORD, modelOf(RECORD), '0')) as { log: { entries: unknown[]; pages?: unknown } };
    har.log.entries.push(null, { time: 'x' });
    delete har.log.pages;
    expect(readRecording(JSON.stringify(har)).requests).toHaveLength(3);
  });

  it.each([
    ['no JSON', 'log'],
    ['something else', '{"log":[]}'],
    ['a HAR without a request', '{"log":{"version":"1.2","entries":[]}}'],
    ['a recording of a newer version', saved({ ...RECORD, version: 2 as 1 })],
    ['a key too many', JSON.stringify({ ...RECORD, more: 1 })],
  ])('is refused with a code: %s', (_, text) => expect(() => readRecording(text)).toThrow(expect.objectContaining({ code: 'E_RECORDING' }) as Error));

  it('is not read when it is too large', async () => {
    const file = (size: number): Pick<File, 'size' | 'text'> => ({ size, text: () => Promise.resolve(saved(RECORD)) });
    await expect(readRecordingFile(file(1e9))).rejects.toMatchObject({ code: 'E_RECORDING' });
    await expect(readRecordingFile(file(1e3))).resolves.toEqual(RECORD);
  });

  it('whatever a file holds, is refused with a code or can be shown', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json(), fc.jsonValue().map((value) => JSON.stringify({ log: { version: '1.2', entries: [value] } }))), (text) => {
      let record: LoadRecord;
      try {
        record = readRecording(text);
      } catch (error) {
        expect(error).toBeInstanceOf(FirstscreenError);
        return;
      }
      expect(modelOf(record).requests.length).toBeGreaterThan(0);
    }));
  });
});
