import type { FetchClass } from '../fetching/fetchObject.ts';
import type { Ending, NamedBy, RelayUse, RequestEvent, WaitReason } from './requestEvent.ts';

/** Since when something lasts, and until when; null for longer than is known. */
export interface Span {
  readonly fromMs: number;
  toMs: number | null;
}

/** The way of one request, as far as it has come: null for what has not happened. */
export interface RequestWay {
  readonly request: number;
  readonly url: string;
  namedBy: NamedBy | null;
  namedMs: number | null;
  /** It had to wait until the browser had asked its origin. */
  wasDeferred: boolean;
  foreseenMs: number | null;
  askedMs: number | null;
  /** The classes that it had later than its first one. */
  readonly ranks: { readonly atMs: number; readonly fetchClass: FetchClass }[];
  readonly waits: { readonly fromMs: number; readonly reason: WaitReason }[];
  /** Of the last time that it was sent. */
  sentMs: number | null;
  connection: number | null;
  sentClass: FetchClass | null;
  headMs: number | null;
  firstByteMs: number | null;
  readonly stops: Span[];
  endMs: number | null;
  ending: Ending | null;
  endClass: FetchClass | null;
  bytes: number;
}

/** When a connection was asked for, and when it was there. */
export interface ConnectionWay extends Span {
  readonly connection: number;
  readonly origin: string;
  /** Whether it carries several requests at once (HTTP/2); null before it is there. */
  isMultiplexed: boolean | null;
  /** Null where it goes to the server itself, and before that is known. */
  relay: RelayUse | null;
}

export interface RequestWays {
  readonly requests: readonly RequestWay[];
  readonly connections: readonly ConnectionWay[];
}

/** What is known of a URL before there is a request for it. */
interface Named {
  readonly by: NamedBy;
  readonly atMs: number;
  wasDeferred: boolean;
}

/** The ways of requests and connections as their events come. What belongs to no request that is known is passed over. */
export class RequestWayTable {
  private readonly named = new Map<string, Named>();
  private readonly requests = new Map<number, RequestWay>();
  private readonly connections = new Map<number, ConnectionWay>();

  /** In the order of their making. */
  add(event: RequestEvent): void {
    const { named, requests, connections } = this;
    if (event.type === 'named') {
      // what was deferred is named again when it is its turn
      if (named.get(event.url)?.wasDeferred !== true) named.set(event.url, { by: event.by, atMs: event.atMs, wasDeferred: false });
    } else if (event.type === 'deferred') {
      const known = named.get(event.url);
      if (known !== undefined) known.wasDeferred = true;
    } else if (event.type === 'connecting') connections.set(event.connection, { connection: event.connection, origin: event.origin, fromMs: event.atMs, toMs: null, isMultiplexed: null, relay: null });
    else if (event.type === 'connected') {
      const connection = connections.get(event.connection);
      if (connection !== undefined) [connection.toMs, connection.isMultiplexed, connection.relay] = [event.atMs, event.isMultiplexed, event.relay ?? null];
    } else if (event.type !== 'lost') step(requests, named, event);
  }

  /** So far, in the order of their beginning. */
  get ways(): RequestWays {
    return { requests: [...this.requests.values()], connections: [...this.connections.values()] };
  }
}

/** All of these events at once. */
export function requestWays(events: readonly RequestEvent[]): RequestWays {
  const table = new RequestWayTable();
  for (const event of events) table.add(event);
  return table.ways;
}

type StepEvent = Extract<RequestEvent, { readonly request: number }>;

function step(requests: Map<number, RequestWay>, named: Map<string, Named>, event: StepEvent): void {
  const { request, atMs } = event;
  const way = requests.get(request) ?? ('url' in event ? newWay(request, event.url) : null);
  if (way === null) return;
  requests.set(request, way);
  switch (event.type) {
    case 'foreseen': {
      const origin = named.get(event.url);
      // the next request for it is for another naming
      named.delete(event.url);
      Object.assign(way, { foreseenMs: atMs, namedBy: origin?.by ?? null, namedMs: origin?.atMs ?? null, wasDeferred: origin?.wasDeferred ?? false });
      break;
    }
    case 'asked':
      way.askedMs = atMs;
      break;
    case 'ranked':
      way.ranks.push({ atMs, fetchClass: event.fetchClass });
      break;
    case 'waiting':
      way.waits.push({ fromMs: atMs, reason: event.reason });
      break;
    case 'sent':
      Object.assign(way, { sentMs: atMs, connection: event.connection, sentClass: event.fetchClass });
      break;
    case 'head':
      way.headMs = atMs;
      break;
    case 'firstByte':
      way.firstByteMs = atMs;
      break;
    case 'preempted':
      way.stops.push({ fromMs: atMs, toMs: null });
      break;
    case 'resumed':
      endLast(way.stops, atMs);
      break;
    case 'end':
      endLast(way.stops, atMs);
      Object.assign(way, { endMs: atMs, ending: event.ending, endClass: event.fetchClass, bytes: event.bytes });
      break;
  }
}

function endLast(spans: readonly Span[], atMs: number): void {
  const last = spans.at(-1);
  if (last !== undefined) last.toMs ??= atMs;
}

function newWay(request: number, url: string): RequestWay {
  return {
    request, url, namedBy: null, namedMs: null, wasDeferred: false, foreseenMs: null, askedMs: null, ranks: [], waits: [], sentMs: null, connection: null, sentClass: null,
    headMs: null, firstByteMs: null, stops: [], endMs: null, ending: null, endClass: null, bytes: 0,
  };
}
