import { FetchClass } from '../../../../shared/src/fetching/fetchObject.ts';
import type { RequestEvent } from '../../../../shared/src/requests/requestEvent.ts';
import type { BrowserRequest } from './browserRequest.ts';
import { emptyRecord, type LoadRecord } from './loadRecord.ts';

/** Of the wall clock, for tests. */
export const START_MS = 1_700_000_000_000;

/** A request that is asked for so long after the navigation's start, waits a third of its time and comes in another. */
export function testRequest(id: number, url: string, atMs: number, lastsMs = 90, change: Partial<BrowserRequest> = {}): BrowserRequest {
  const third = lastsMs / 3;
  return {
    id, url, method: 'GET', status: 200, httpVersion: 'h2', kind: 'image', mimeType: 'image/jpeg', startMs: START_MS + atMs, endMs: START_MS + atMs + lastsMs,
    timings: { blocked: third, dns: null, connect: null, ssl: null, send: 0, wait: third, receive: third }, bodyBytes: 9_000, transferBytes: 9_000, isCached: false, connection: '1', ...change,
  };
}

/** The way of a request that is asked for by the browser, sent 10 ms later, and comes whole. */
export function testWay(request: number, url: string, atMs: number, lastsMs = 90, connection = 7): RequestEvent[] {
  const at = START_MS + atMs;
  return [
    { type: 'asked', atMs: at, request, url, fetchClass: FetchClass.unplaced },
    { type: 'sent', atMs: at + 10, request, connection, fetchClass: FetchClass.unplaced },
    { type: 'head', atMs: at + lastsMs / 2, request, length: 9_000 },
    { type: 'firstByte', atMs: at + lastsMs / 2, request },
    { type: 'end', atMs: at + lastsMs, request, ending: 'whole', fetchClass: FetchClass.offScreen, bytes: 9_000 },
  ];
}

export function testRecord(change: Partial<LoadRecord> = {}): LoadRecord {
  return { ...emptyRecord(START_MS), url: 'https://a.test/', ...change };
}
