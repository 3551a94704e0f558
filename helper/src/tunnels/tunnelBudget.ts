import { LRUCache } from 'lru-cache';

/**
 * Chromium makes two connections ahead of a navigation, and asks for the document on a third; requests with and without credentials go on connections apart (Fetch, "Connections"). With two the documents of
 * three sites came a handshake later (190 ms of 1,900); with three amazon.com's first screen came at 1.06 of stock's instead of 1.17.
 */
export const MAX_HANDSHAKES = 3;
/** A browser that learns of HTTP/2 gives up its other connections within milliseconds; one that does not needs them. */
const GRACE_MS = 30;
/** Name, TCP and TLS take four round trips; a queue of a slow link makes them longer, and on a fast one it is the server that does. */
const PATIENCE_RTTS = 4;
const MIN_PATIENCE_MS = 1_000;
const MAX_KNOWN_SERVERS = 1_000;

/** A CONNECT that was answered, and whose tunnel is not closed. */
interface OpenTunnel {
  hasServerSent: boolean;
  isEstablished: boolean;
  /** It was still wanted when the browser knew what its server speaks. */
  readonly outlastedGrace: boolean;
}

interface ServerTunnels {
  readonly name: string;
  readonly open: Map<number, OpenTunnel>;
  /** Until when each waits at most, in the order of asking. */
  readonly waiting: Map<number, number>;
  /** From then on nothing waits. */
  holdsUntilMs: number;
}

/**
 * How many tunnels to a server may be in their TLS handshake while nobody knows yet whether it speaks HTTP/2: browsers open up to six then, each for some 5 kB down and 2 kB up, and use one of
 * them if it does. No I/O and no clock: events in; out comes whose CONNECT is to be answered now.
 *
 * ```
 *  asked --> waiting --(handshake of another and a grace, failure of another, patience)--> answered --> closed
 *    '-- the first ones, known servers, and all after that ---------------------------------^
 * ```
 * Whatever is not understood lets all that wait go on: no browser waits for itself. It begins anew when a server has no tunnel any more.
 */
export class TunnelBudget {
  private readonly maxHandshakes: number;
  private readonly servers = new Map<string, ServerTunnels>();
  /** By CONNECT, until it is closed. */
  private readonly serverOf = new Map<number, ServerTunnels>();
  /** Servers of whose connections browsers have used more: they speak HTTP/1.1, or are asked in several ways. */
  private readonly known = new LRUCache<string, true>({ max: MAX_KNOWN_SERVERS });

  /** @param maxHandshakes Infinity for no budget */
  constructor(maxHandshakes: number) {
    this.maxHandshakes = maxHandshakes;
  }

  /** When `advance` is to be called although nothing happened; null for never. */
  get nextTimerMs(): number | null {
    const waiting = [...this.servers.values()].filter((server) => server.waiting.size > 0);
    const ends = waiting.map((server) => Math.min(server.holdsUntilMs, endOfPatience(server)));
    return ends.length === 0 ? null : Math.min(...ends);
  }

  /**
   * A CONNECT has come.
   *
   * @param id of it, never used before
   * @param name of its server, with port
   * @param rttMs of the link, as far as is known
   * @returns whose CONNECTs are to be answered
   */
  asked(id: number, name: string, rttMs: number, nowMs: number): number[] {
    if (this.known.has(name)) return [id];
    const server = this.servers.get(name) ?? { name, open: new Map(), waiting: new Map(), holdsUntilMs: Infinity };
    this.servers.set(name, server);
    this.serverOf.set(id, server);
    server.waiting.set(id, nowMs + Math.max(MIN_PATIENCE_MS, PATIENCE_RTTS * rttMs));
    const mustWait = nowMs < server.holdsUntilMs && (server.open.size >= this.maxHandshakes || server.waiting.size > 1);
    if (!mustWait) return answer(server, [id], false);
    return [];
  }

  /** The server of an answered CONNECT has sent something. */
  serverSent(id: number): void {
    const tunnel = this.serverOf.get(id)?.open.get(id);
    if (tunnel !== undefined) tunnel.hasServerSent = true;
  }

  /** The browser has sent something to the server of an answered CONNECT. After a word of the server it ends a handshake of TLS (RFC 8446, section 2; RFC 5246, section 7.3). @returns whether it has just done so */
  browserSent(id: number, nowMs: number): boolean {
    const server = this.serverOf.get(id);
    const tunnel = server?.open.get(id);
    if (server === undefined || tunnel === undefined || !tunnel.hasServerSent || tunnel.isEstablished) return false;
    tunnel.isEstablished = true;
    server.holdsUntilMs = Math.min(server.holdsUntilMs, nowMs + GRACE_MS);
    if (tunnel.outlastedGrace) this.known.set(server.name, true);
    return true;
  }

  /** The browser wants it no more, or there is no connection for it. @returns whose CONNECTs are to be answered */
  closed(id: number, nowMs: number): number[] {
    const server = this.serverOf.get(id);
    if (server === undefined) return [];
    this.serverOf.delete(id);
    server.waiting.delete(id);
    // without a handshake it has told nothing of the server, and the browser may want another in its place
    const hasFailed = server.open.delete(id) && server.holdsUntilMs === Infinity;
    const answered = hasFailed ? release(server, false, nowMs) : [];
    if (server.open.size === 0 && server.waiting.size === 0) this.servers.delete(server.name);
    return answered;
  }

  /** Time has passed. @returns whose CONNECTs are to be answered */
  advance(nowMs: number): number[] {
    return [...this.servers.values()].flatMap((server) => {
      const isKnownBetter = nowMs >= server.holdsUntilMs;
      return isKnownBetter || nowMs >= endOfPatience(server) ? release(server, isKnownBetter, nowMs) : [];
    });
  }
}

function endOfPatience({ waiting }: ServerTunnels): number {
  return Math.min(...waiting.values());
}

/** All that wait are answered, and nothing waits from now on. */
function release(server: ServerTunnels, outlastedGrace: boolean, nowMs: number): number[] {
  if (server.waiting.size === 0) return [];
  server.holdsUntilMs = Math.min(server.holdsUntilMs, nowMs);
  return answer(server, [...server.waiting.keys()], outlastedGrace);
}

function answer(server: ServerTunnels, ids: readonly number[], outlastedGrace: boolean): number[] {
  for (const id of ids) {
    server.waiting.delete(id);
    server.open.set(id, { hasServerSent: false, isEstablished: false, outlastedGrace });
  }
  return [...ids];
}
