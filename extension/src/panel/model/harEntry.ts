import * as v from 'valibot';
import { MAX_URL_CHARS } from '../../../../shared/src/protocol/content.ts';
import { MAX_WALL_MS, type BrowserRequest, type ResourceKind } from './browserRequest.ts';

/** -1 or nothing for what does not apply (HAR 1.2, timings). */
const lastsMs = v.optional(v.nullable(v.number()));
const count = v.optional(v.nullable(v.number()));

/**
 * What is used of an entry of HAR 1.2, as a browser or a file tells it; all else in it is passed over. Browsers add names
 * of their own, which begin with `_`.
 */
export const HarEntrySchema = v.object({
  startedDateTime: v.union([v.string(), v.date()]),
  time: v.number(),
  request: v.object({ method: v.string(), url: v.pipe(v.string(), v.maxLength(MAX_URL_CHARS)), httpVersion: v.optional(v.string()) }),
  response: v.object({
    status: v.number(),
    httpVersion: v.optional(v.string()),
    content: v.object({ size: count, mimeType: v.optional(v.nullable(v.string())) }),
    headersSize: count,
    bodySize: count,
    _transferSize: count,
    _fetchedViaServiceWorker: v.optional(v.boolean()),
  }),
  timings: v.object({ blocked: lastsMs, dns: lastsMs, connect: lastsMs, ssl: lastsMs, send: lastsMs, wait: lastsMs, receive: lastsMs }),
  connection: v.optional(v.nullable(v.string())),
  _resourceType: v.optional(v.nullable(v.string())),
  _fromCache: v.optional(v.nullable(v.string())),
});
export type HarEntry = v.InferOutput<typeof HarEntrySchema>;

const MAX_TEXT = 200;
const MAX_TOLD = 1e15;

/** @returns null for what is no request of a page over the network: extensions, data, files */
export function browserRequestOf(entry: HarEntry, id: number): BrowserRequest | null {
  const { request, response, timings, time } = entry;
  const startMs = new Date(entry.startedDateTime).getTime();
  if (!/^https?:/i.test(request.url) || !Number.isFinite(startMs)) return null;
  const mimeType = cut(response.content.mimeType ?? '');
  const isCached = isFromCache(entry);
  return {
    id, mimeType, isCached, startMs,
    url: request.url,
    method: cut(request.method),
    status: Math.trunc(told(response.status) ?? 0),
    httpVersion: cut(response.httpVersion ?? request.httpVersion ?? ''),
    kind: kindOf(entry._resourceType ?? null, mimeType),
    endMs: Math.min(MAX_WALL_MS, startMs + (told(time) ?? 0)),
    timings: {
      blocked: told(timings.blocked), dns: told(timings.dns), connect: told(timings.connect), ssl: told(timings.ssl),
      send: told(timings.send), wait: told(timings.wait), receive: told(timings.receive),
    },
    bodyBytes: told(response.content.size) ?? 0,
    transferBytes: isCached ? 0 : transferred(response),
    connection: entry.connection === undefined || entry.connection === null || entry.connection === '' || entry.connection === '0' ? null : cut(entry.connection),
  };
}

/** Chromium says so by a name of its own, Firefox by an answer that has come without a byte. */
function isFromCache({ _fromCache, response }: HarEntry): boolean {
  if (typeof _fromCache === 'string' && _fromCache !== '') return true;
  return response.status === 304 ? false : response._transferSize === undefined && response.bodySize === 0 && (response.content.size ?? 0) > 0;
}

function transferred({ _transferSize, headersSize, bodySize, content }: HarEntry['response']): number {
  return told(_transferSize) ?? (told(headersSize) ?? 0) + (told(bodySize) ?? told(content.size) ?? 0);
}

/** HAR has -1 for what is not told; what is larger than any time or size is not true. */
function told(value: number | null | undefined): number | null {
  return typeof value === 'number' && value >= 0 && value <= MAX_TOLD ? value : null;
}

const KINDS: Readonly<Record<string, ResourceKind>> = { document: 'document', stylesheet: 'style', script: 'script', font: 'font', image: 'image' };

/** @param type as Chromium names it; Firefox has none */
function kindOf(type: string | null, mimeType: string): ResourceKind {
  if (type !== null) return KINDS[type] ?? 'other';
  const [essence = ''] = mimeType.toLowerCase().split(';', 1);
  if (essence === 'text/html' || essence === 'application/xhtml+xml') return 'document';
  if (essence === 'text/css') return 'style';
  if (/^(?:text|application)\/(?:x-)?(?:java|ecma)script$/.test(essence)) return 'script';
  if (/^(?:font\/|application\/(?:x-)?font|application\/vnd\.ms-fontobject)/.test(essence)) return 'font';
  return essence.startsWith('image/') ? 'image' : 'other';
}

function cut(text: string): string {
  return text.slice(0, MAX_TEXT);
}
