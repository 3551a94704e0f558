/**
 * Messages between the extension's background script and the helper (native messaging). docs/protocol.md describes
 * them.
 *
 * Envelope: `{v, id, type, payload}`. The side that asks chooses `id`; the answer repeats it. A message that is refused
 * gets an `error` answer with a code, never silence.
 */
import * as v from 'valibot';
import { DriverReportSchema } from './driverReportSchema.ts';
import { MAX_URL_CHARS } from './content.ts';
import { PointedLinkSchema } from './pointedLinkSchema.ts';
import { PROFILE } from '../memory/cachedUntil.ts';
import { NEEDS_ENTRIES, OriginSchema } from '../memory/neededObjectSchema.ts';
import { MAX_HOST_CHARS } from '../names/authority.ts';
import { RequestEvent } from '../requests/requestEvent.ts';
import { LINK_VERDICTS } from '../scheduling/payoff.ts';
import { RankClass } from '../scheduling/rank.ts';
import { ERROR_CODES, FirstscreenError } from '../errors.ts';

/** Version of the protocol; `hello` negotiates it, every later envelope carries it. */
export const PROTOCOL_VERSION = 1;
/** Native messaging host name: the manifests' `name`, and what the extension connects to. */
export const NATIVE_HOST_NAME = 'org.firstscreen.helper';
/** Chromium's limit for host to extension messages; used in both directions. */
export const MAX_FRAME_BYTES = 1024 * 1024;
/** In one message: longer lists are cut in parts, as are those that would pass MAX_FRAME_BYTES. */
export const MAX_RANKS = 1000;
/** In one message. */
const MAX_UPGRADED_HOSTS = 100;
/** In one answer. */
export const MAX_REMEMBERED_SITES = 500;
/** In one message: longer lists are cut in parts, as are those that would pass MAX_FRAME_BYTES. */
export const MAX_REMOVED_URLS = 1000;
/** In one list of one message, which has all of them. */
export const MAX_SITE_HOSTS = 1000;
/** In one message; a helper that records has more messages of them. */
export const MAX_REQUEST_EVENTS = 200;

const index = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const shortText = v.pipe(v.string(), v.maxLength(200));

/** In bits a second. */
const rate = v.pipe(v.number(), v.finite(), v.minValue(1));

const pageUrl = v.pipe(v.string(), v.maxLength(MAX_URL_CHARS));

const ImageRankSchema = v.strictObject({
  url: pageUrl,
  rankClass: v.picklist(Object.values(RankClass)),
  order: index,
  pixels: v.nullable(v.pipe(v.number(), v.finite(), v.minValue(0))),
});

const hostName = v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_HOST_CHARS));

/** As in a URL, in ASCII; an address of IPv6 in brackets. */
export const HostSchema = v.pipe(hostName, v.regex(/^(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])$/i));

const siteHosts = v.pipe(v.array(HostSchema), v.maxLength(MAX_SITE_HOSTS));

const RememberedSiteSchema = v.strictObject({ site: HostSchema, pages: index, lastDay: index });

const ErrorPayloadSchema = v.strictObject({
  code: v.picklist(Object.values(ERROR_CODES).flat()),
  message: v.pipe(v.string(), v.maxLength(2000)),
  next: v.pipe(v.string(), v.maxLength(2000)),
});

const EMPTY = v.strictObject({});
const portNumber = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65_535));
const capabilities = v.pipe(v.array(shortText), v.maxLength(64));

/** A message in its envelope. */
function message<const T extends string, P extends v.GenericSchema>(type: T, payload: P) {
  return v.strictObject({ v: v.literal(PROTOCOL_VERSION), id: index, type: v.literal(type), payload });
}

/**
 * What the extension may say. `hello` comes first; anything before it is refused with E_MESSAGE_ORDER. `left` answers
 * the helper's `leave`; `ranks`, `asking`, `visited`, `navigating`, `pointed`, `upgraded`, `tunnelOnly`, `saveData`, `record` and
 * `judged` want no answer.
 */
export const ExtensionMessageSchema = v.variant('type', [
  message('hello', v.strictObject({ protocols: v.pipe(v.array(index), v.minLength(1), v.maxLength(16)), extensionVersion: shortText, browser: shortText, capabilities })),
  message('ranks', v.strictObject({ images: v.pipe(v.array(ImageRankSchema), v.maxLength(MAX_RANKS)) })),
  message('asking', v.strictObject({ page: pageUrl, images: v.pipe(v.array(pageUrl), v.maxLength(MAX_RANKS)) })),
  message('visited', v.strictObject({ url: pageUrl, asked: pageUrl, ...NEEDS_ENTRIES })),
  message('navigating', v.strictObject({ url: pageUrl })),
  message('pointed', PointedLinkSchema),
  message('proxy', v.strictObject({ mayRemember: v.boolean(), profile: v.pipe(v.string(), v.regex(PROFILE)) })),
  message('intercept', EMPTY),
  message('driver', EMPTY),
  message('left', v.strictObject({ done: v.boolean() })),
  message('upgraded', v.strictObject({ hosts: v.pipe(v.array(hostName), v.maxLength(MAX_UPGRADED_HOSTS)) })),
  message('tunnelOnly', v.strictObject({ hosts: siteHosts })),
  message('saveData', v.strictObject({ inGeneral: v.boolean(), on: siteHosts, off: siteHosts })),
  message('remembered', EMPTY),
  message('forget', v.strictObject({ site: v.nullable(HostSchema) })),
  message('historyRemoved', v.strictObject({ urls: v.nullable(v.pipe(v.array(pageUrl), v.maxLength(MAX_REMOVED_URLS))) })),
  message('record', v.strictObject({ isWanted: v.boolean() })),
  message('closeConnections', v.strictObject({ origin: OriginSchema })),
  message('network', EMPTY),
  message('judged', v.strictObject({ verdict: v.picklist(LINK_VERDICTS) })),
  message('ping', EMPTY),
]);
export type ExtensionMessage = v.InferOutput<typeof ExtensionMessageSchema>;

/**
 * What the helper may say: an answer to each question, `leave`, which it asks by itself, `link`, `requests` while it is
 * told to `record`, and `networkChanged` once it was asked for the `network`, which want no answer.
 */
export const HelperMessageSchema = v.variant('type', [
  message('welcome', v.strictObject({ protocol: index, helperVersion: shortText, capabilities })),
  message('proxied', v.strictObject({ port: portNumber, username: shortText, password: shortText, ownHost: shortText, canIntercept: v.boolean() })),
  message('intercepting', EMPTY),
  message('driverReport', DriverReportSchema),
  message('rememberedSites', v.strictObject({ sites: v.pipe(v.array(RememberedSiteSchema), v.maxLength(MAX_REMEMBERED_SITES)), more: index })),
  message('forgotten', v.strictObject({ pages: index })),
  message('connectionsClosed', v.strictObject({ port: portNumber })),
  message('link', v.strictObject({ rttMs: v.pipe(v.number(), v.finite(), v.minValue(0)), rateBitsPerSecond: v.nullable(rate), seenBitsPerSecond: v.nullable(rate) })),
  message('knownNetwork', v.strictObject({ wasFast: v.boolean() })),
  message('networkChanged', EMPTY),
  message('requests', v.strictObject({ wallOffsetMs: v.pipe(v.number(), v.finite()), events: v.pipe(v.array(RequestEvent), v.maxLength(MAX_REQUEST_EVENTS)) })),
  message('leave', v.strictObject({ host: hostName })),
  message('pong', EMPTY),
  message('error', ErrorPayloadSchema),
]);
export type HelperMessage = v.InferOutput<typeof HelperMessageSchema>;
export type HelperMessageOf<T extends HelperMessage['type']> = Extract<HelperMessage, { type: T }>;
export type ExtensionMessageOf<T extends ExtensionMessage['type']> = Extract<ExtensionMessage, { type: T }>;

/**
 * Parses what came over the wire.
 *
 * @throws FirstscreenError E_PROTOCOL_VERSION when `v` is another version, E_MESSAGE_TYPE when the type is unknown,
 * E_MESSAGE_SCHEMA otherwise
 */
export function parseExtensionMessage(input: unknown): ExtensionMessage {
  return parse(ExtensionMessageSchema, input, 'extension');
}

/** As parseExtensionMessage, for the other direction. */
export function parseHelperMessage(input: unknown): HelperMessage {
  return parse(HelperMessageSchema, input, 'helper');
}

/** The id that an answer to a refused message should carry: the message's own where it has one, otherwise 0. */
export function messageIdOf(input: unknown): number {
  const result = v.safeParse(v.object({ id: index }), input);
  return result.success ? result.output.id : 0;
}

function parse<T>(schema: v.GenericSchema<unknown, T>, input: unknown, sender: string): T {
  // one issue is enough for an answer; collecting all of them lets a hostile message of 1 MiB cost seconds
  const result = v.safeParse(schema, input, { abortEarly: true });
  if (result.success) return result.output;
  if (isOfAnotherVersion(input)) {
    throw new FirstscreenError(
      'E_PROTOCOL_VERSION',
      `The message from the ${sender} does not use protocol version ${PROTOCOL_VERSION}.`,
      'Update the extension and the helper to the same release.',
    );
  }
  const path = safePathOf(result.issues[0]);
  if (path === 'type') {
    throw new FirstscreenError('E_MESSAGE_TYPE', `The message from the ${sender} has an unknown type.`, 'Update the extension and the helper to the same release.');
  }
  throw new FirstscreenError('E_MESSAGE_SCHEMA', `The message from the ${sender} does not fit its schema at ${path}.`, 'Report this with both versions: it is a defect of the sender.');
}

/** A message of another version is told so, whatever else is wrong with it. */
function isOfAnotherVersion(input: unknown): boolean {
  return typeof input === 'object' && input !== null && 'v' in input && input.v !== PROTOCOL_VERSION;
}

/**
 * Where the schema was violated, in words that are safe to log: names from the schema and list positions. valibot's own
 * messages quote the received value, and the last step to an unknown key is the sender's text; either may hold a page's
 * URL.
 */
function safePathOf(issue: v.BaseIssue<unknown>): string {
  const unknownKey = issue.type === 'strict_object' && issue.expected === 'never';
  const steps = (issue.path ?? []).map((item) => String(item.key));
  if (unknownKey) steps.splice(-1, 1, '(unknown key)');
  return steps.length === 0 ? '(message)' : steps.join('.');
}
