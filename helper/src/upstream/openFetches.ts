import { levelOf, type FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { BegunAnswer } from './begunAnswer.ts';
import type { UpstreamConnection } from './connection.ts';
import type { ResponseSink, UpstreamRequest } from './fetch.ts';
import type { RunningTransfer } from './runningTransfer.ts';
import { priorityOf } from './urgency.ts';

/** A request that has not ended. */
export interface OpenFetch {
  readonly id: number;
  request: UpstreamRequest;
  readonly sink: ResponseSink;
  object: FetchObject;
  /** The browser's own word, or what it is expected to be; null for none. */
  priority: string | null;
  sends: number;
  /** It authenticates who asks, past the scheduler. */
  readonly isPinned: boolean;
  /** What has come of its answer, where that may go on when the relay is lost. */
  begun: BegunAnswer | null;
  /** Of the transfer that is under way. */
  transfer: RunningTransfer | null;
  /** Beside it, by the relay that is silent in the middle of the answer: whichever brings what comes next goes on. */
  silent: RunningTransfer | null;
}

/** What was asked for once may be asked for again elsewhere. */
export function isRepeatable({ transfer: running }: OpenFetch): boolean {
  return running?.transfer?.mayRepeat === true;
}

/** All requests that have not ended, and how urgent they are where they are under way. */
export class OpenFetches {
  private readonly fetches = new Map<number, OpenFetch>();
  /** Whose requests are others now, or of other levels. */
  private readonly toRank = new Set<UpstreamConnection>();

  get size(): number {
    return this.fetches.size;
  }

  add(fetch: OpenFetch): void {
    this.fetches.set(fetch.id, fetch);
  }

  get(id: number): OpenFetch | null {
    return this.fetches.get(id) ?? null;
  }

  /** @returns whether it was there */
  delete({ id }: OpenFetch): boolean {
    return this.fetches.delete(id);
  }

  values(): readonly OpenFetch[] {
    return [...this.fetches.values()];
  }

  /** Those that something is under way on, also where nothing more is sent. */
  get connections(): ReadonlySet<UpstreamConnection> {
    return new Set(this.values().flatMap(({ transfer: running }) => running?.connection ?? []));
  }

  /** By the connection that they are under way on. */
  sentOn(connection: UpstreamConnection): readonly OpenFetch[] {
    return this.values().filter(({ transfer: running }) => running?.connection === connection);
  }

  /** What has left is stopped, or let go on, and its server told. */
  rank(fetch: OpenFetch): void {
    this.rankConnection(fetch);
    fetch.transfer?.rank(fetch.object, () => priorityOf(fetch.request.headers, fetch.object, fetch.priority));
  }

  /** Through the relay a connection is as urgent as the most urgent of its requests; one without any stays as it was. */
  rankConnection({ transfer: running }: OpenFetch): void {
    if (running?.connection.isRanked !== true) return;
    this.toRank.add(running.connection);
    if (this.toRank.size > 1) return;
    queueMicrotask(() => {
      const levels = new Map<UpstreamConnection, number>();
      for (const { object, transfer: sent } of this.fetches.values()) {
        if (sent !== null && this.toRank.has(sent.connection)) levels.set(sent.connection, Math.min(levelOf(object), levels.get(sent.connection) ?? Infinity));
      }
      this.toRank.clear();
      for (const [connection, level] of levels) connection.rank(level);
    });
  }
}
