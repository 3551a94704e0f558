import { describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';
import { lanes } from './lanes.ts';
import type { LoadArtifact, ServedObject } from './loadArtifact.ts';
import { waterfallPage } from './waterfallPage.ts';

const served = (url: string, connection: string, startMs: number, arrivalMs: number | null, firstByteMs: number | null = null): ServedObject => ({ url, status: 200, bodyBytes: 1_000, connection, startMs, firstByteMs, arrivalMs });
const load = (requests: ServedObject[], record: RequestEvent[] | null = null): LoadArtifact => ({ requests, needed: [{ url: 'http://a.test/', kind: 'document' }, { url: 'http://a.test/in.jpg?x', kind: 'background' }], record });

/** The way of one request by the helper. */
function way(request: number, url: string, connection: number, [foreseenMs, sentMs, stopMs, goMs, endMs]: readonly [number, number, number, number, number]): RequestEvent[] {
  return [
    { type: 'named', atMs: foreseenMs, url, by: 'document' },
    { type: 'foreseen', atMs: foreseenMs, request, url, fetchClass: FetchClass.unplaced },
    { type: 'waiting', atMs: foreseenMs, request, reason: 'connection' },
    { type: 'sent', atMs: sentMs, request, connection, fetchClass: FetchClass.unplaced },
    { type: 'head', atMs: stopMs - 2, request, length: 1_000 },
    { type: 'firstByte', atMs: stopMs - 1, request },
    { type: 'preempted', atMs: stopMs, request, bytes: 10 },
    { type: 'resumed', atMs: goMs, request },
    { type: 'asked', atMs: goMs, request, url, fetchClass: FetchClass.inView },
    { type: 'end', atMs: endMs, request, ending: 'whole', fetchClass: FetchClass.inView, bytes: 1_000 },
  ];
}

describe('lanes', () => {
  it('has the connections of a server together, and what each object is to the first screen', () => {
    const all = lanes(load([served('http://a.test/', 'c:1 s:80', 0, 100), served('http://b.test/x.jpg', 'c:2 t:80', 50, 150), served('http://a.test/in.jpg?x', 'c:3 s:80', 120, 200, 160)]));
    expect(all.map(({ server, bars }) => [server, bars.map(({ role, waitFromMs, startMs, firstByteMs, endMs }) => [role, waitFromMs, startMs, firstByteMs, endMs])])).toEqual([
      ['a.test', [['layout', null, 0, null, 100]]],
      ['a.test', [['inView', null, 120, 160, 200]]],
      ['b.test', [['other', null, 50, null, 150]]],
    ]);
  });

  it('takes wait, sending and stops from the helper\'s record, and the end from the link', () => {
    const record: RequestEvent[] = [{ type: 'connecting', atMs: 5, connection: 7, origin: 'http://a.test' }, { type: 'connected', atMs: 20, connection: 7, isMultiplexed: true }, ...way(0, 'http://a.test/in.jpg?x', 7, [10, 20, 60, 90, 130])];
    const [lane] = lanes(load([served('http://a.test/in.jpg?x', 'c:1 s:443', 40, 120)], record));
    expect(lane?.opening).toMatchObject({ fromMs: 5, toMs: 20 });
    expect(lane?.bars).toMatchObject([{ waitFromMs: 10, startMs: 20, firstByteMs: 59, endMs: 120, stops: [{ fromMs: 60, toMs: 90 }] }]);
  });

  it('gives each of two requests for one URL its own way', () => {
    const url = 'http://a.test/';
    const record = [...way(0, url, 0, [0, 1, 5, 6, 9]), ...way(1, url, 0, [10, 11, 15, 16, 19])];
    const [lane] = lanes(load([served(url, 'c:1 s:80', 12, 18), served(url, 'c:1 s:80', 2, 8)], record));
    expect(lane?.bars.map((bar) => bar.way?.request)).toEqual([0, 1]);
  });

  it('leaves out what never came', () => {
    expect(lanes(load([served('http://a.test/', 'c:1 s:80', 0, null)]))).toEqual([]);
  });
});

describe('the page of a waterfall', () => {
  const url = 'http://a.test/in.jpg?secret';
  const html = (artifact: LoadArtifact): string => waterfallPage('a.test', [{ label: 'conv', isrtMs: 1_000, artifact: load([]) }, { label: 'all', isrtMs: 900, artifact }]);

  it('tells the way of a request, without its query, and fetches nothing', () => {
    const text = html(load([served(url, 'c:1 s:443', 40, 120)], way(0, url, 7, [10, 20, 60, 90, 130])));
    expect(text).toContain('named by the document 0.01 s, asked ahead 0.01 s, browser asked 0.09 s');
    expect(text).toContain('waited for a connection 0.01 s, sent 0.02 s as place unknown');
    expect(text).toContain('1 by the helper, 1 of them asked ahead, 1 stopped in mid-flight');
    expect(text).not.toContain('secret');
    expect(text).not.toMatch(/(?:src|href)=|url\(|@import|<script/);
  });

  it('counts what is later than shown, and what never came', () => {
    expect(html(load([served(url, 'c:1 s:443', 40, 120), served(url, 'c:1 s:443', 5_000, 5_100), served(url, 'c:1 s:443', 50, null)]))).toContain('3 requests on 1 connections; 1 of them later than shown; 1 never came.');
  });

  it('escapes what comes from recorded pages', () => {
    const text = html(load([served('http://a.test/<script>', 'c:1 s:443', 40, 120)]));
    expect(text).not.toContain('<script>');
  });
});
