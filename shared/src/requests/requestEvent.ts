import * as v from 'valibot';
import { FetchClass } from '../fetching/fetchObject.ts';

/** Milliseconds of a monotonic clock. */
const atMs = v.pipe(v.number(), v.finite());
/** Ids count up from 0 as long as the helper runs. */
const Id = v.pipe(v.number(), v.integer(), v.minValue(0));
const Bytes = v.pipe(v.number(), v.integer(), v.minValue(0));
const Class = v.picklist(Object.values(FetchClass));

/** What names an object before the browser asks for it. */
const NamedBy = v.picklist(['document', 'styleSheet', 'memory', 'browser']);
export type NamedBy = v.InferOutput<typeof NamedBy>;

/**
 * Why a request has not left: its server has no connection yet; all of its server's connections are at work; it is
 * collected with others before they are dealt to connections; or what is more urgent has the link.
 */
const WaitReason = v.picklist(['connection', 'slot', 'collecting', 'order']);
export type WaitReason = v.InferOutput<typeof WaitReason>;

/** What stands on its other end: a relay that passes bytes on to the server, or one that makes the requests itself. */
const RelayUse = v.picklist(['tunnel', 'requests']);
export type RelayUse = v.InferOutput<typeof RelayUse>;

/** Came whole; was lost, or its server could not be reached; or nobody wanted it any more. */
const Ending = v.picklist(['whole', 'failed', 'cancelled']);
export type Ending = v.InferOutput<typeof Ending>;

/**
 * One step on the way of a request through the helper. In the order of their making, a request has one `foreseen`, or
 * one `asked`, or both; then `waiting` any number of times, `sent` (again when it was lost untouched), `head`,
 * `firstByte`, `preempted` and `resumed` in turn, and one `end`; `ranked` at any time before that. `asked` may come as
 * late as after the end. What is named has no request yet: `named` and `deferred` say its URL. URLs are in it, whole: it
 * belongs into no log.
 */
export const RequestEvent = v.variant('type', [
  v.strictObject({ type: v.literal('named'), atMs, url: v.string(), by: NamedBy }),
  /** Not asked for before the browser itself has asked its origin; then it is named again. */
  v.strictObject({ type: v.literal('deferred'), atMs, url: v.string() }),
  /** Asked for before the browser does. */
  v.strictObject({ type: v.literal('foreseen'), atMs, request: Id, url: v.string(), fetchClass: Class }),
  /** The browser asks for it. */
  v.strictObject({ type: v.literal('asked'), atMs, request: Id, url: v.string(), fetchClass: Class }),
  /** It has another class from now on: its page has told where it stands, or the browser has asked for it. */
  v.strictObject({ type: v.literal('ranked'), atMs, request: Id, fetchClass: Class }),
  v.strictObject({ type: v.literal('waiting'), atMs, request: Id, reason: WaitReason }),
  v.strictObject({ type: v.literal('sent'), atMs, request: Id, connection: Id, fetchClass: Class }),
  /** The answer's fields are there. `length`: of its body, where it is said. */
  v.strictObject({ type: v.literal('head'), atMs, request: Id, length: v.nullable(Bytes) }),
  v.strictObject({ type: v.literal('firstByte'), atMs, request: Id }),
  /** All that may come of it for now has come, and more is to come: over HTTP/2 its server may send no more, over HTTP/1.1 no more is read. */
  v.strictObject({ type: v.literal('preempted'), atMs, request: Id, bytes: Bytes }),
  v.strictObject({ type: v.literal('resumed'), atMs, request: Id }),
  v.strictObject({ type: v.literal('end'), atMs, request: Id, ending: Ending, fetchClass: Class, bytes: Bytes }),
  v.strictObject({ type: v.literal('connecting'), atMs, connection: Id, origin: v.string() }),
  /** `relay`: where it goes by one. */
  v.strictObject({ type: v.literal('connected'), atMs, connection: Id, isMultiplexed: v.boolean(), relay: v.exactOptional(RelayUse) }),
  /** So many events were dropped before the next one: nobody took them in time. */
  v.strictObject({ type: v.literal('lost'), atMs, count: Bytes }),
]);
export type RequestEvent = v.InferOutput<typeof RequestEvent>;
