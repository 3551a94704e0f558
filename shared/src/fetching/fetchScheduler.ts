import { isUrgent, type Admission, type OnTheWay } from './admission.ts';
import type { BudgetPolicy, ServerDemand } from './connectionBudget.ts';
import { FetchClass, MAYBE_CLOSING_MS, levelOf, type FetchObject } from './fetchObject.ts';
import type { WaitReason } from '../requests/requestEvent.ts';
import type { QueuePolicy } from './queuePolicy.ts';
import { ServerConnections, bytesToComeOf, comesByCredit, compareTurns, isDownload, type Turn } from './serverConnections.ts';

/** A scheme: which parts of the web accelerator are in force (NSF report, section VI: CONV, PF, PF+OR, PF+CM, ALL). */
export interface FetchScheme {
  /** CONV or OR. */
  readonly queues: QueuePolicy;
  /** Equal or CM. */
  readonly budget: BudgetPolicy;
  /** CONV or PF. */
  readonly admission: Admission;
  /**
   * The report's timers phi (objects of a server) and delta (of all servers): how long what can wait is collected before it is spread over connections. 0 for
   * a scheme that has nothing to gain from it; milliseconds, asked at each decision.
   */
  readonly collectMs: () => number;
  /** What has been quiet for so long is of a server that hangs, and keeps nothing else waiting; milliseconds, asked at each decision. */
  readonly patienceMs: () => number;
}

/** Of the patience, for room that is kept: a name and a handshake take two of its four round trips. */
const RESERVED_SHARE = 1 / 2;
/**
 * A server takes a hundred requests at once (RFC 9113, section 6.5.2), and what waits for credit keeps its place among
 * them: so many images fill the link, and leave room for what is needed and found late.
 */
const MAX_OTHER_STREAMS = 32;
/** A connection that had nothing to do for so long is another server's, when that has more to do. */
const REST_PATIENCES = 2;

/** What the edge has to do, in this order. */
export type FetchCommand =
  /** Open one more connection; `connected` or `connectFailed` follows. */
  | { readonly type: 'open'; readonly origin: string }
  /** Close a connection that has nothing to do; `disconnected` need not follow. */
  | { readonly type: 'close'; readonly origin: string; readonly connection: number }
  | { readonly type: 'send'; readonly origin: string; readonly connection: number; readonly object: FetchObject };

/**
 * Fetches objects of many servers over a fixed number of connections: what goes when, on which connection. No I/O and no clock: events in, commands
 * out.
 *
 * ```
 *  put --> waiting --(collectMs)--> queue of a connection --send--> on the way --> finished
 *             ^                          |  taken over by a dry one
 *             +------ disconnected ------+
 * ```
 * Each object is sent exactly once, unless its connection is lost; then the edge decides whether it may be sent again (RFC 9110, section 9.2.2).
 */
export class FetchScheduler {
  private readonly scheme: FetchScheme;
  private readonly servers = new Map<string, ServerConnections>();
  /** Objects that have not ended, by id, and since when. */
  private readonly known = new Map<number, { readonly origin: string; readonly putMs: number }>();
  /** When what is being collected is spread; null when nothing is. */
  private collectUntilMs: number | null = null;
  /** When `advance` is to be called although nothing happened; null for never. */
  nextTimerMs: number | null = null;
  /** Objects put since the last spreading. */
  private readonly collecting = new Map<number, FetchObject>();

  constructor(scheme: FetchScheme) {
    this.scheme = scheme;
  }

  /** Adds objects, or ranks them anew; what is on the way counts by its new rank. */
  put(objects: readonly FetchObject[], nowMs: number): FetchCommand[] {
    const closed = objects.flatMap((object) => this.putOne(object, nowMs));
    return [...closed, ...this.advance(nowMs)];
  }

  /**
   * There are to be so many connections to an origin, although there is nothing to send on them yet: `connected` or
   * `connectFailed` follows, unless they are there.
   *
   * @param isAwaited something that the first screen waits for will be asked on them as soon as they are there
   */
  prepare(origin: string, count: number, nowMs: number, isAwaited = true): FetchCommand[] {
    this.serverOf(origin).prepare(count, isAwaited ? nowMs : -Infinity);
    return this.advance(nowMs);
  }

  /** A connection more to an origin than any share of its own, as those that there are may be of no use: `connected` or `connectFailed` follows. */
  openBeside(origin: string): FetchCommand[] {
    this.serverOf(origin).open();
    return [{ type: 'open', origin }];
  }

  /** Why an object waits; null for one that was sent, or is not known. */
  reasonToWait(id: number): WaitReason | null {
    const origin = this.known.get(id)?.origin;
    const server = origin === undefined ? undefined : this.servers.get(origin);
    if (server?.isUnsent(id) !== true) return null;
    if (!server.isConnected) return 'connection';
    if (!server.canSend) return 'slot';
    return this.collecting.has(id) ? 'collecting' : 'order';
  }

  /** The object has arrived, failed, or is wanted no more. */
  finished(id: number, nowMs: number): FetchCommand[] {
    this.forget(id, nowMs);
    return this.advance(nowMs);
  }

  /** The answer has begun, or gone on: so much of it is still to come. */
  progress(id: number, bytesToCome: number, nowMs: number): FetchCommand[] {
    const origin = this.known.get(id)?.origin;
    if (origin === undefined) return [];
    const hasMadeRoom = this.serverOf(origin).progress(id, bytesToCome, nowMs);
    // asked at every piece that comes: it makes room at most, and demands no connection
    if (!hasMadeRoom || !this.canSend) return [];
    const commands = [...this.send(nowMs)];
    this.nextTimerMs = this.nextMoment(nowMs);
    return commands;
  }

  /**
   * @param slots requests that the connection takes at once
   * @param keepsOrder whether its far end keeps our order of all that comes
   */
  connected(origin: string, connection: number, slots: number, nowMs: number, keepsOrder = false): FetchCommand[] {
    this.serverOf(origin).connected(connection, slots, nowMs, keepsOrder);
    return this.advance(nowMs);
  }

  /** A connection could not be made. The server's objects wait for its others; without any they are given back, as unreachable. */
  connectFailed(origin: string, nowMs: number): { readonly commands: FetchCommand[]; readonly unreachable: readonly FetchObject[] } {
    const server = this.serverOf(origin);
    server.openFailed();
    const unreachable = server.connectionCount === 0 ? server.unsentObjects() : [];
    for (const { id } of unreachable) this.forget(id, nowMs);
    return { commands: this.advance(nowMs), unreachable };
  }

  /** A connection is gone, and what was on the way on it is forgotten. */
  disconnected(origin: string, connection: number, nowMs: number): FetchCommand[] {
    for (const { id } of this.serverOf(origin).disconnected(connection)) this.known.delete(id);
    return this.advance(nowMs);
  }

  /** Time has passed. */
  advance(nowMs: number): FetchCommand[] {
    if (this.collectUntilMs !== null && nowMs >= this.collectUntilMs) {
      this.collectUntilMs = null;
      this.collecting.clear();
    }
    // most of what happens is bytes that come, with nothing to decide
    const commands = this.isAny(({ wantsMore }) => wantsMore) ? [...this.open(nowMs), ...this.send(nowMs)] : [];
    for (const [origin, server] of this.servers) if (server.isForgotten) this.servers.delete(origin);
    this.nextTimerMs = this.nextMoment(nowMs);
    return commands;
  }

  /** @returns connections that are closed for it */
  private putOne(object: FetchObject, nowMs: number): FetchCommand[] {
    const known = this.known.get(object.id)?.origin;
    if (known === undefined) {
      this.known.set(object.id, { origin: object.origin, putMs: nowMs });
      this.serverOf(object.origin).put(object);
      this.collect(object, nowMs);
      return object.isOnce === true ? this.closeRested(object.origin, nowMs) : [];
    }
    if (this.serverOf(known).isUnsent(object.id)) {
      this.serverOf(known).put({ ...object, origin: known });
      // what the first screen waits for is collected no longer
      if (object.fetchClass === FetchClass.layout) this.collecting.delete(object.id);
    } else this.serverOf(known).rankSent(object);
    return [];
  }

  /** What may not be made twice would meet a server that is just closing, where all that is free has rested: it gets a connection of now. */
  private closeRested(origin: string, nowMs: number): FetchCommand[] {
    const server = this.serverOf(origin);
    return server.freeIfRested(nowMs - MAYBE_CLOSING_MS).map((connection) => {
      server.disconnected(connection);
      return { type: 'close', origin, connection };
    });
  }

  private collect(object: FetchObject, nowMs: number): void {
    const collectMs = this.scheme.collectMs();
    // the browser asks one by one, as its requests become free
    if (collectMs === 0 || object.isAwaited || object.fetchClass === FetchClass.layout) return;
    this.collecting.set(object.id, object);
    this.collectUntilMs ??= nowMs + collectMs;
  }

  /** Nor does anything of the same server go meanwhile that is not more urgent. */
  private isCollected(object: FetchObject): boolean {
    for (const other of this.collecting.values()) if (other.origin === object.origin && levelOf(other) <= levelOf(object)) return true;
    return false;
  }

  private *open(nowMs: number): Generator<FetchCommand, void, undefined> {
    const total = this.sum(({ stockConnections }) => stockConnections);
    const demands = this.demands();
    const resting = this.sum((server) => (server.demand === 0 ? Math.min(1, server.connectionCount) : 0));
    const wanted = this.scheme.budget(demands, total - resting);
    // a server without any connection first: no share of another may keep it from its own
    const replaced = this.sum(({ replacements }) => replacements);
    const byNeed = [...this.servers].sort(([, a], [, b]) => Math.min(1, a.connectionCount) - Math.min(1, b.connectionCount));
    for (const [origin, server] of byNeed) {
      const count = (wanted.get(origin) ?? 0) + server.replacements;
      while (server.connectionCount < count && server.canOpen) {
        if (this.sum(({ connectionCount }) => connectionCount) >= total + replaced) {
          // what has been at work lately will be again, and a new connection takes two round trips; but nobody is kept from a first one
          const isFirst = server.connectionCount === 0;
          const spare = this.spareConnection(wanted, isFirst ? nowMs : nowMs - REST_PATIENCES * this.scheme.patienceMs());
          if (spare !== null) {
            this.serverOf(spare.origin).disconnected(spare.connection);
            yield { type: 'close', ...spare };
          } else if (!isFirst) return;
        }
        server.open();
        yield { type: 'open', origin };
      }
    }
  }

  /** A connection beyond what its server is to have, idle since this time at least; of a server that rests, all but one. */
  private spareConnection(wanted: ReadonlyMap<string, number>, sinceMs: number): { readonly origin: string; readonly connection: number } | null {
    for (const [origin, server] of this.servers) {
      if (server.connectionCount <= (wanted.get(origin) ?? 1)) continue;
      // what it has beyond a stock browser's share is borrowed
      const connection = server.idleConnection(server.connectionCount > server.stockConnections ? Infinity : sinceMs);
      if (connection !== null) return { origin, connection };
    }
    return null;
  }

  /** The most urgent object of all servers first, of those that may go. */
  private *send(nowMs: number): Generator<FetchCommand, void, undefined> {
    while (this.canSend) {
      const isAdmitted = this.scheme.admission(this.onTheWay(nowMs));
      let first: { readonly origin: string; readonly server: ServerConnections; readonly turn: Turn } | null = null;
      for (const [origin, server] of this.servers) {
        if (!server.canSend) continue;
        // counted once for all that waits there
        const { isMultiplexed, keepsOrder, otherCount } = server;
        const counted = { isMultiplexed, keepsOrder, otherCount };
        // a relay has places for all that is asked for, and for as many guesses as are admitted
        const hasStreams = keepsOrder || otherCount < MAX_OTHER_STREAMS;
        const turn = server.next((object) => isAdmitted(object, counted) && (isMultiplexed ? hasStreams || isUrgent(object) : !this.isCollected(object)));
        if (turn !== null && (first === null || compareTurns(turn.object, first.turn.object) < 0)) first = { origin, server, turn };
      }
      if (first === null) return;
      first.server.send(first.turn, nowMs);
      yield { type: 'send', origin: first.origin, ...first.turn };
    }
  }

  /** Something waits although a connection of its server has room. */
  private get canSend(): boolean {
    return this.isAny(({ canSend }) => canSend);
  }

  private putMs(id: number): number {
    return this.known.get(id)?.putMs ?? 0;
  }

  private onTheWay(nowMs: number): OnTheWay {
    const patienceMs = this.scheme.patienceMs();
    const urgentBytesToCome: number[] = [];
    const otherBytesToCome: number[] = [];
    let [waitingLevel, isUrgentWaiting, urgentWaitingBytes, relayedOthers] = [Infinity, false, 0, 0];
    for (const server of this.servers.values()) {
      waitingLevel = Math.min(waitingLevel, server.waitingLevel);
      isUrgentWaiting ||= nowMs < server.preparedSinceMs + patienceMs;
      const { isMultiplexed, keepsOrder, otherCount } = server;
      if (keepsOrder) relayedOthers += otherCount;
      server.eachSent((sent) => {
        const hasCredit = isMultiplexed ? !isUrgent(sent.object) : comesByCredit(sent);
        if (!hasCredit && !isDownload(sent) && nowMs - sent.quietSinceMs < patienceMs) (isUrgent(sent.object) ? urgentBytesToCome : otherBytesToCome).push(bytesToComeOf(sent));
      });
      server.eachUnsentUrgent(({ id, bytes }) => {
        const putMs = this.putMs(id);
        isUrgentWaiting ||= nowMs < putMs + patienceMs;
        if (nowMs < putMs + RESERVED_SHARE * patienceMs) urgentWaitingBytes += bytes;
      });
    }
    return { urgentBytesToCome, otherBytesToCome, urgentWaitingBytes, isUrgent: isUrgentWaiting || urgentBytesToCome.length > 0, relayedOthers, waitingLevel };
  }

  /** When what is collected goes, or what is waited for is waited for no more. */
  private nextMoment(nowMs: number): number | null {
    if (!this.isAny(({ unsentCount }) => unsentCount > 0)) return this.collectUntilMs;
    const patienceMs = this.scheme.patienceMs();
    let next = Infinity;
    const consider = (ms: number): void => {
      if (ms > nowMs) next = Math.min(next, ms);
    };
    for (const server of this.servers.values()) {
      server.eachSent(({ quietSinceMs }) => consider(quietSinceMs + patienceMs));
      server.eachUnsentUrgent(({ id }) => {
        const putMs = this.putMs(id);
        consider(putMs + RESERVED_SHARE * patienceMs);
        consider(putMs + patienceMs);
      });
      consider(server.preparedSinceMs + patienceMs);
    }
    next = Math.min(next, this.collectUntilMs ?? Infinity);
    return Number.isFinite(next) ? next : null;
  }

  private demands(): ServerDemand[] {
    return [...this.servers].flatMap(([origin, server]): ServerDemand[] => {
      const objects = server.demand;
      return objects === 0 ? [] : [{ origin, objects, urgentObjects: server.urgentCount, bytes: server.bytesToCome, isMultiplexed: server.isMultiplexed }];
    });
  }

  private forget(id: number, nowMs: number): void {
    const origin = this.known.get(id)?.origin;
    if (origin === undefined) return;
    this.serverOf(origin).remove(id, nowMs);
    this.known.delete(id);
    this.collecting.delete(id);
  }

  private isAny(is: (server: ServerConnections) => boolean): boolean {
    for (const server of this.servers.values()) if (is(server)) return true;
    return false;
  }

  private sum(of: (server: ServerConnections) => number): number {
    let sum = 0;
    for (const server of this.servers.values()) sum += of(server);
    return sum;
  }

  private serverOf(origin: string): ServerConnections {
    let server = this.servers.get(origin);
    if (server === undefined) {
      server = new ServerConnections(this.scheme.queues, origin.startsWith('https:'));
      this.servers.set(origin, server);
    }
    return server;
  }
}
