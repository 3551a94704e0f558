import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import { StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import { ALL_PARTS } from '../parts.ts';
import type { OpenConnection } from '../upstream/connection.ts';
import type { ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import { Upstream, type UpstreamOptions } from '../upstream/upstream.ts';

/** With all parts, on a link that is not measured. */
export function testUpstream(open: OpenConnection, options: Partial<UpstreamOptions> = {}): Upstream {
  return new Upstream({
    tellsUrgency: true, credits: new StreamCredits(() => INITIAL_LINK), scheduler: new FetchScheduler(fetchScheme(ALL_PARTS, () => INITIAL_LINK)), open, measured: () => undefined, received: () => undefined, log: () => undefined, ...options,
  });
}

/** A GET for what is in view, unless it is said otherwise. */
export function requestTo(origin: string, request: Partial<UpstreamRequest> = {}): UpstreamRequest {
  return { method: 'GET', origin, path: '/', headers: ['host', new URL(origin).host], body: null, browser: null, fetchClass: FetchClass.inView, index: 0, bytes: 1_000, isForeseen: false, ...request };
}

/** Takes an answer and heeds what is said of it here, nothing by default. */
export function sinkOf(heeds: Partial<ResponseSink> = {}): ResponseSink {
  return { informed: () => undefined, started: () => undefined, data: () => null, ended: () => undefined, failed: () => undefined, ...heeds };
}
