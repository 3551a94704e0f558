import * as v from 'valibot';
import { FirstscreenError } from '../../../../shared/src/errors.ts';
import type { NeededKind } from '../../../../shared/src/memory/neededObject.ts';
import type { RequestEvent } from '../../../../shared/src/requests/requestEvent.ts';
import type { BrowserRequest, ResourceKind } from './browserRequest.ts';
import { HarEntrySchema, browserRequestOf } from './harEntry.ts';
import type { LoadModel } from './loadModel.ts';
import { LoadRecordSchema, MAX_REQUESTS, emptyRecord, type LoadRecord, type Need } from './loadRecord.ts';
import { OBJECT_CLASSES, isNeeded } from './objectClass.ts';
import type { PanelRequest } from './panelRequest.ts';
import { durations } from './phases.ts';

/** What a browser holds in memory twice without harm. */
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const ms = v.pipe(v.number(), v.finite());
const OwnEntrySchema = v.object({ _firstscreen: v.optional(v.object({ class: v.picklist(OBJECT_CLASSES) })) });

/** HAR 1.2, as far as it is read; of the entries each for itself, so that one that is odd is not all. */
const HarSchema = v.object({
  log: v.object({
    version: v.string(),
    pages: v.optional(v.array(v.object({
      startedDateTime: v.string(),
      title: v.optional(v.string()),
      pageTimings: v.optional(v.object({ onContentLoad: v.optional(v.nullable(ms)), onLoad: v.optional(v.nullable(ms)), _contentfulPaint: v.optional(v.nullable(ms)) })),
    }))),
    entries: v.pipe(v.array(v.unknown()), v.maxLength(MAX_REQUESTS)),
  }),
});

/** As `readRecording`; a file that is too large is not read. */
export async function readRecordingFile(file: Pick<File, 'size' | 'text'>): Promise<LoadRecord> {
  if (file.size > MAX_FILE_BYTES) throw refusal('The file is too large.');
  return readRecording(await file.text());
}

/**
 * A load from a file that a panel has written, or any HAR 1.2.
 *
 * @throws FirstscreenError E_RECORDING
 */
export function readRecording(text: string): LoadRecord {
  let input: unknown;
  try {
    input = JSON.parse(text);
  } catch {
    throw refusal('The file holds no JSON.');
  }
  const record = v.safeParse(LoadRecordSchema, input, { abortEarly: true });
  if (record.success) return record.output;
  const har = v.safeParse(HarSchema, input, { abortEarly: true });
  if (har.success) return recordOfHar(har.output.log);
  throw refusal('The file is neither a recording of a load nor a HAR.');
}

function recordOfHar({ pages = [], entries }: v.InferOutput<typeof HarSchema>['log']): LoadRecord {
  const requests: BrowserRequest[] = [];
  const needs: Need[] = [];
  let hasNeeds = false;
  for (const entry of entries) {
    const parsed = v.safeParse(HarEntrySchema, entry, { abortEarly: true });
    const request = parsed.success ? browserRequestOf(parsed.output, requests.length) : null;
    if (request === null) continue;
    requests.push(request);
    const own = v.safeParse(OwnEntrySchema, entry);
    const objectClass = own.success ? own.output._firstscreen?.class : undefined;
    if (objectClass === undefined) continue;
    hasNeeds = true;
    if (isNeeded(objectClass)) needs.push({ url: request.url, kind: needOf(request.kind) });
  }
  if (requests.length === 0) throw refusal('The HAR has no request of a page.');
  const [page] = pages;
  const firstMs = Math.min(...requests.map(({ startMs }) => startMs));
  const pageMs = page === undefined ? NaN : Date.parse(page.startedDateTime);
  const startMs = Number.isFinite(pageMs) ? pageMs : firstMs;
  const document = requests.find(({ kind }) => kind === 'document');
  const { onContentLoad = null, onLoad = null, _contentfulPaint = null } = page?.pageTimings ?? {};
  const reached = (value: number | null): number | null => (value === null || value < 0 ? null : value);
  return {
    ...emptyRecord(startMs),
    url: document?.url ?? null,
    requests,
    timing: page === undefined ? null : { startMs, firstPaintMs: null, contentfulPaintMs: reached(_contentfulPaint), parsedMs: reached(onContentLoad), loadedMs: reached(onLoad) },
    needs: hasNeeds ? needs : null,
  };
}

function needOf(kind: ResourceKind): NeededKind {
  return kind === 'style' || kind === 'font' || kind === 'image' ? kind : 'script';
}

function refusal(message: string): FirstscreenError {
  return new FirstscreenError('E_RECORDING', message, 'Export the load anew, as JSON or as HAR 1.2.');
}

/** The panel's own format: all that is known. Of the helper's requests those that the panel shows: it tells of those of all tabs. */
export function recordingOf(record: LoadRecord, { requests }: Pick<LoadModel, 'requests'>): string {
  const ways = requests.flatMap(({ way }) => way ?? []);
  const [shown, connections, urls] = [new Set(ways.map(({ request }) => request)), new Set(ways.map(({ connection }) => connection)), new Set(ways.map(({ url }) => url))];
  const isShown = (event: RequestEvent): boolean => {
    if ('request' in event) return shown.has(event.request);
    return 'connection' in event ? connections.has(event.connection) : !('url' in event) || urls.has(event.url);
  };
  return JSON.stringify({ ...record, events: record.events.filter(isShown) });
}

const PAGE_ID = 'page_1';
/** Unknown (HAR 1.2). */
const UNKNOWN = -1;

/**
 * HAR 1.2 for any reader of it; what is ours is in fields `_firstscreen`. Without cookies and header fields, which the
 * panel does not keep.
 *
 * @param version of the extension
 */
export function harOf({ url, timing, startMs }: LoadRecord, { requests, firstScreenMs, shares, rate, paintMs }: LoadModel, version: string): string {
  const entries = requests.flatMap((request) => (request.browser === null ? [] : [entryOf(request, request.browser, startMs)]));
  const page = {
    startedDateTime: new Date(startMs).toISOString(),
    id: PAGE_ID,
    title: url ?? '',
    pageTimings: { onContentLoad: timing?.parsedMs ?? UNKNOWN, onLoad: timing?.loadedMs ?? UNKNOWN, _contentfulPaint: paintMs ?? UNKNOWN },
    _firstscreen: { firstScreenMs, ...shares, rateBitsPerSecond: rate?.bitsPerSecond ?? null },
  };
  return JSON.stringify({ log: { version: '1.2', creator: { name: 'Firstscreen', version }, pages: [page], entries } }, null, 1);
}

function entryOf(request: PanelRequest, browser: BrowserRequest, startMs: number): object {
  const { timings } = browser;
  const known = (value: number | null): number => value ?? UNKNOWN;
  const { gate, queue, connect, wait, transfer, stop, kept } = durations(request.phases);
  return {
    pageref: PAGE_ID,
    startedDateTime: new Date(browser.startMs).toISOString(),
    time: browser.endMs - browser.startMs,
    request: { method: browser.method, url: browser.url, httpVersion: browser.httpVersion, cookies: [], headers: [], queryString: queryOf(browser.url), headersSize: UNKNOWN, bodySize: UNKNOWN },
    response: {
      status: browser.status, statusText: '', httpVersion: browser.httpVersion, cookies: [], headers: [], content: { size: browser.bodyBytes, mimeType: browser.mimeType },
      redirectURL: '', headersSize: UNKNOWN, bodySize: browser.isCached ? 0 : UNKNOWN, _transferSize: browser.transferBytes,
    },
    cache: {},
    timings: { blocked: known(timings.blocked), dns: known(timings.dns), connect: known(timings.connect), ssl: known(timings.ssl), send: timings.send ?? 0, wait: timings.wait ?? 0, receive: timings.receive ?? 0 },
    ...(browser.connection === null ? {} : { connection: browser.connection }),
    _resourceType: browser.kind === 'style' ? 'stylesheet' : browser.kind,
    ...(browser.isCached ? { _fromCache: 'disk' } : {}),
    _firstscreen: {
      class: request.objectClass, isForeseen: request.isForeseen, helperConnection: request.way?.connection ?? null,
      foreseenMs: request.way?.foreseenMs === null || request.way === null ? null : request.way.foreseenMs - startMs,
      gateMs: gate, queueMs: queue, connectMs: connect, waitMs: wait, transferMs: transfer, stoppedMs: stop, keptMs: kept,
    },
  };
}

function queryOf(url: string): { name: string; value: string }[] {
  return URL.canParse(url) ? [...new URL(url).searchParams].map(([name, value]) => ({ name, value })) : [];
}
