import * as v from 'valibot';
import { MAX_URL_CHARS } from '../../../../shared/src/protocol/content.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';

/** What a request is for, as far as its answer or the browser tells. */
export const RESOURCE_KINDS = ['document', 'style', 'script', 'font', 'image', 'other'] as const;
export type ResourceKind = (typeof RESOURCE_KINDS)[number];

/** What a date can be (ECMAScript, Time Values). */
export const MAX_WALL_MS = 8.64e15;
export const WallMs = v.pipe(v.number(), v.minValue(-MAX_WALL_MS), v.maxValue(MAX_WALL_MS));
/** Null where it did not happen, or is not told. */
const lastsMs = v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0)));
const bytes = v.pipe(v.number(), v.finite(), v.minValue(0));
const text = v.pipe(v.string(), v.maxLength(200));

/** One request as the browser's developer tools tell of it, once it has ended. */
export const BrowserRequestSchema = v.strictObject({
  /** In the order of telling. */
  id: v.pipe(v.number(), v.integer(), v.minValue(0)),
  url: v.pipe(v.string(), v.maxLength(MAX_URL_CHARS)),
  method: text,
  /** 0 where there was no answer. */
  status: v.pipe(v.number(), v.integer(), v.minValue(0)),
  httpVersion: text,
  kind: v.picklist(RESOURCE_KINDS),
  mimeType: text,
  /** By the wall clock. */
  startMs: WallMs,
  endMs: WallMs,
  /** HAR 1.2, timings; `connect` has `ssl` in it. */
  timings: v.strictObject({ blocked: lastsMs, dns: lastsMs, connect: lastsMs, ssl: lastsMs, send: lastsMs, wait: lastsMs, receive: lastsMs }),
  /** Of the decoded body, and of all that came over the network, fields included. */
  bodyBytes: bytes,
  transferBytes: bytes,
  /** From a cache of the browser: nothing came over the network. */
  isCached: v.boolean(),
  /** As the browser names it; null where it does not. */
  connection: v.nullable(text),
});
export type BrowserRequest = v.InferOutput<typeof BrowserRequestSchema>;

/** What views say of a URL. */
export interface Address {
  /** Without its fragment. */
  readonly url: string;
  /** Host and port. */
  readonly server: string;
  /** The last part of its path, as tables name a request by; the host where there is none. */
  readonly name: string;
}

export function addressOf(whole: string): Address {
  const url = withoutFragment(whole);
  if (!URL.canParse(url)) return { url, server: '', name: url };
  const { pathname, host } = new URL(url);
  return { url, server: host, name: pathname.split('/').findLast((part) => part !== '') ?? host };
}
