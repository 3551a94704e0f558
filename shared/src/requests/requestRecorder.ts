import type { FetchClass } from '../fetching/fetchObject.ts';
import type { Ending, NamedBy, RelayUse, RequestEvent, WaitReason } from './requestEvent.ts';

/** A request that has not ended. */
interface OpenRequest {
  reason: WaitReason | null;
  /** What may come of it in all; Infinity where nobody says. */
  creditBytes: number;
  /** Whether the first piece comes without credit. */
  hasFreePiece: boolean;
  /** Of the body, as far as it is known. */
  length: number | null;
  hasHead: boolean;
  receivedBytes: number;
  isStopped: boolean;
}

/**
 * Tells a consumer the way of each request, from what those who carry it say. Where there is no consumer there is no
 * recorder either (`Recording`). No I/O and no clock.
 */
export class RequestRecorder {
  private readonly tell: (event: RequestEvent) => void;
  private readonly now: () => number;
  private readonly open = new Map<number, OpenRequest>();

  /** @param now milliseconds of a monotonic clock */
  constructor(tell: (event: RequestEvent) => void, now: () => number) {
    this.tell = tell;
    this.now = now;
  }

  named(url: string, by: NamedBy): void {
    this.tell({ type: 'named', atMs: this.now(), url, by });
  }

  /** It is not asked for before the browser has asked its origin. */
  deferred(url: string): void {
    this.tell({ type: 'deferred', atMs: this.now(), url });
  }

  /** A request that the browser has not made. */
  foreseen(request: number, url: string, fetchClass: FetchClass): void {
    this.begin(request);
    this.tell({ type: 'foreseen', atMs: this.now(), request, url, fetchClass });
  }

  /** A request of the browser: a new one, or for what was foreseen. */
  asked(request: number, url: string, fetchClass: FetchClass, isNew: boolean): void {
    if (isNew) this.begin(request);
    this.tell({ type: 'asked', atMs: this.now(), request, url, fetchClass });
  }

  /** @param reason null when it does not wait */
  waiting(request: number, reason: WaitReason | null): void {
    const open = this.open.get(request);
    if (open === undefined || reason === null || open.reason === reason) return;
    open.reason = reason;
    this.tell({ type: 'waiting', atMs: this.now(), request, reason });
  }

  ranked(request: number, fetchClass: FetchClass): void {
    this.tell({ type: 'ranked', atMs: this.now(), request, fetchClass });
  }

  sent(request: number, connection: number, fetchClass: FetchClass): void {
    this.begin(request);
    this.tell({ type: 'sent', atMs: this.now(), request, connection, fetchClass });
  }

  /**
   * From now on only what `given` says may come of it.
   *
   * @param hasFreePiece whether the first piece comes in any case, as over HTTP/1.1
   */
  limited(request: number, hasFreePiece: boolean): void {
    const open = this.open.get(request);
    if (open !== undefined) Object.assign(open, { creditBytes: 0, hasFreePiece });
  }

  given(request: number, bytes: number): void {
    const open = this.open.get(request);
    if (open === undefined) return;
    open.creditBytes += bytes;
    if (!open.isStopped) return;
    open.isStopped = false;
    this.tell({ type: 'resumed', atMs: this.now(), request });
  }

  answered(request: number, length: number | null): void {
    const open = this.open.get(request);
    if (open === undefined) return;
    [open.hasHead, open.length] = [true, length];
    this.tell({ type: 'head', atMs: this.now(), request, length });
    this.noteStop(request, open);
  }

  received(request: number, bytes: number): void {
    const open = this.open.get(request);
    if (open === undefined || bytes === 0) return;
    if (open.receivedBytes === 0) this.tell({ type: 'firstByte', atMs: this.now(), request });
    open.receivedBytes += bytes;
    this.noteStop(request, open);
  }

  ended(request: number, ending: Ending, fetchClass: FetchClass): void {
    const open = this.open.get(request);
    if (open === undefined) return;
    this.open.delete(request);
    this.tell({ type: 'end', atMs: this.now(), request, ending, fetchClass, bytes: open.receivedBytes });
  }

  connecting(connection: number, origin: string): void {
    this.tell({ type: 'connecting', atMs: this.now(), connection, origin });
  }

  /** @param relay null where it goes to the server itself */
  connected(connection: number, isMultiplexed: boolean, relay: RelayUse | null): void {
    this.tell({ type: 'connected', atMs: this.now(), connection, isMultiplexed, ...(relay !== null && { relay }) });
  }

  private begin(request: number): void {
    this.open.set(request, { reason: null, creditBytes: Infinity, hasFreePiece: false, length: null, hasHead: false, receivedBytes: 0, isStopped: false });
  }

  private noteStop(request: number, open: OpenRequest): void {
    const isSpent = open.receivedBytes >= open.creditBytes && (open.receivedBytes > 0 || !open.hasFreePiece);
    const isStopped = open.hasHead && isSpent && open.receivedBytes < (open.length ?? Infinity);
    if (!isStopped || open.isStopped) return;
    open.isStopped = true;
    this.tell({ type: 'preempted', atMs: this.now(), request, bytes: open.receivedBytes });
  }
}
