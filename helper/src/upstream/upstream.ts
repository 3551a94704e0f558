import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { FetchCommand, FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { authenticatesConnection } from '../http/connectionAuthentication.ts';
import type { OpenConnection, UpstreamConnection } from './connection.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from './fetch.ts';
import { PinnedConnections } from './pinnedConnections.ts';
import { Preparations } from './preparations.ts';
import { transfer } from './transfer.ts';
import { withUrgency } from './urgency.ts';

export interface UpstreamOptions {
  readonly scheduler: FetchScheduler;
  readonly open: OpenConnection;
  /** A transfer has told something of the link. */
  readonly measured: (sample: TransferSample) => void;
  /** Whether servers that speak HTTP/2 are told the order, too. */
  readonly tellsUrgency: boolean;
  readonly log: LogSink;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

const RESERVED_CONNECTIONS = 2;
const WANTED_NO_MORE = 'the browser wants it no more';

interface OpenFetch {
  readonly request: UpstreamRequest;
  readonly sink: ResponseSink;
  object: FetchObject;
  sends: number;
  /** It authenticates who asks, past the scheduler. */
  readonly isPinned: boolean;
  /** Of the transfer that is under way. */
  transfer: { readonly connection: UpstreamConnection; abort: ((reason: Error) => void) | null } | null;
}

/** Makes requests on connections of its own, in the order and on the connections that the scheduler says. */
export class Upstream {
  private readonly scheduler: FetchScheduler;
  private readonly open: OpenConnection;
  private readonly pins: PinnedConnections;
  private readonly measured: (sample: TransferSample) => void;
  private readonly tellsUrgency: boolean;
  private readonly log: LogSink;
  private readonly now: () => number;
  private readonly fetches = new Map<number, OpenFetch>();
  /** Added, or ranked anew, and not told to the scheduler yet; by id. */
  private readonly toPut = new Map<number, FetchObject>();
  private readonly connections = new Map<number, UpstreamConnection>();
  private readonly preparations = new Preparations();
  private nextFetch = 0;
  private nextConnection = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerMs: number | null = null;
  private isClosed = false;

  constructor({ scheduler, open, measured, tellsUrgency, log, now }: UpstreamOptions) {
    this.scheduler = scheduler;
    this.open = open;
    this.pins = new PinnedConnections((origin, onClosed) => open(origin, this.nextConnection++, onClosed, { isPinned: true }));
    this.measured = measured;
    this.tellsUrgency = tellsUrgency;
    this.log = log;
    this.now = now;
  }

  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch {
    const id = this.nextFetch++;
    const { origin, fetchClass, index, bytes, isForeseen, browser, headers } = request;
    const pinned = browser && (authenticatesConnection(headers) ? this.pins.getOrOpen(browser, origin) : this.pins.get(browser, origin));
    const object = { id, origin, fetchClass, index, bytes, isAwaited: !isForeseen };
    const fetch: OpenFetch = { request, sink, object, sends: 0, isPinned: pinned !== null, transfer: null };
    this.fetches.set(id, fetch);
    if (pinned === null) this.putSoon(fetch);
    else void this.sendPinned(id, fetch, pinned);
    const change = (changes: Partial<FetchObject>): void => {
      if (!this.fetches.has(id)) return;
      fetch.object = { ...fetch.object, ...changes };
      if (!fetch.isPinned) this.putSoon(fetch);
    };
    return {
      rank: (ranked) => change({ fetchClass: ranked }),
      await: (ranked) => change({ fetchClass: ranked < fetch.object.fetchClass ? ranked : fetch.object.fetchClass, isAwaited: true }),
      cancel: () => {
        if (!this.fetches.delete(id)) return;
        this.toPut.delete(id);
        fetch.transfer?.abort?.(new Error(WANTED_NO_MORE));
        if (fetch.transfer !== null) this.noteIfClosed(fetch.transfer.connection);
        this.perform(this.scheduler.finished(id, this.now()));
      },
    };
  }

  /** Settles when there is a connection to an origin. @throws FirstscreenError as `open` */
  async prepare(origin: string): Promise<void> {
    if ([...this.connections.values()].some((connection) => connection.origin === origin)) return;
    const ready = this.preparations.wait(origin);
    this.perform(this.scheduler.prepare(origin, 1, this.now()));
    await ready;
  }

  /** A document is asked for: a second connection is made beside its own, as browsers do, for what its first bytes name. */
  reserve(origin: string): void {
    this.perform(this.scheduler.prepare(origin, RESERVED_CONNECTIONS, this.now()));
  }

  /**
   * The machine has slept, or is in another network: no request joins the connections of before.
   *
   * @param isUsable whether a connection from this address of the machine can still carry what is on the way
   */
  networkChanged(isUsable: (localAddress: string) => boolean): void {
    const isLost = ({ localAddress }: UpstreamConnection): boolean => !isUsable(localAddress);
    const before = [...this.connections.values()];
    for (const connection of before) this.retire(connection);
    for (const connection of before.filter(isLost)) connection.destroy();
    this.pins.destroy(isLost);
  }

  /** Finds connections whose servers are there no more, although requests wait on them. */
  checkConnections(): void {
    for (const connection of this.connections.values()) connection.check(this.now());
  }

  get isBusy(): boolean {
    return this.fetches.size > 0;
  }

  /** What is on the way fails, so that nobody waits for it. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const id of [...this.fetches.keys()]) this.fail(id, new FirstscreenError('E_UPSTREAM', 'The helper has ended.', 'Load the page again.'), true);
    for (const connection of this.connections.values()) connection.destroy();
    this.pins.destroy(() => true);
  }

  /** A plan ranks dozens at a stroke, and a document names as many: they are one event to the scheduler. */
  private putSoon(fetch: OpenFetch): void {
    this.toPut.set(fetch.object.id, fetch.object);
    if (this.toPut.size > 1) return;
    queueMicrotask(() => {
      // one that has ended meanwhile would keep a connection that nobody uses
      const objects = [...this.toPut.values()].filter(({ id }) => this.fetches.has(id));
      this.toPut.clear();
      if (!this.isClosed) this.perform(this.scheduler.put(objects, this.now()));
    });
  }

  private perform(commands: readonly FetchCommand[]): void {
    for (const command of commands) {
      if (command.type === 'open') void this.openConnection(command.origin);
      else if (command.type === 'close') this.connections.get(command.connection)?.close();
      else this.send(command.connection, command.object);
    }
    const timerMs = this.scheduler.nextTimerMs;
    if (timerMs === this.timerMs) return;
    this.timerMs = timerMs;
    clearTimeout(this.timer);
    if (timerMs !== null) this.timer = setTimeout(() => {
      this.timerMs = null;
      this.perform(this.scheduler.advance(this.now()));
    }, Math.max(0, timerMs - this.now()));
  }

  private async openConnection(origin: string): Promise<void> {
    const id = this.nextConnection++;
    let connection: UpstreamConnection;
    try {
      connection = await this.open(origin, id, () => this.disconnected(origin, id), { isPinned: false });
    } catch (error) {
      const coded = codedError(error);
      this.log({ level: 'info', scope: 'upstream', message: 'no connection', fields: { code: coded.code } });
      const { commands, unreachable } = this.scheduler.connectFailed(origin, this.now());
      for (const { id: fetchId } of unreachable) this.fail(fetchId, coded, false);
      this.preparations.fail(origin, coded);
      this.perform(commands);
      return;
    }
    if (this.isClosed) {
      connection.destroy();
      return;
    }
    this.connections.set(id, connection);
    this.preparations.settle(origin);
    this.perform(this.scheduler.connected(origin, id, connection.slots, this.now()));
    connection.isReused ||= !connection.isBusy;
  }

  private disconnected(origin: string, id: number): void {
    if (!this.connections.delete(id)) return;
    // what was on the way is told by undici, to each of them
    const { commands } = this.scheduler.disconnected(origin, id, this.now());
    this.perform(commands);
  }

  private send(connectionId: number, { id }: FetchObject): void {
    const fetch = this.fetches.get(id);
    const connection = this.connections.get(connectionId);
    if (fetch !== undefined && connection !== undefined) this.transfer(id, fetch, connection);
  }

  /** One request waits for the other there (undici keeps them), as on the browser's own connection. */
  private async sendPinned(id: number, fetch: OpenFetch, opening: Promise<UpstreamConnection>): Promise<void> {
    try {
      const connection = await opening;
      if (this.fetches.has(id)) this.transfer(id, fetch, connection);
    } catch (error) {
      this.end(id, codedError(error), false);
    }
  }

  private transfer(id: number, fetch: OpenFetch, connection: UpstreamConnection): void {
    const { sink, request } = fetch;
    const headers = this.tellsUrgency && connection.isH2 ? withUrgency(request.headers, fetch.object) : request.headers;
    const options = { headers, mayRepeat: fetch.sends === 0 && !fetch.isPinned, now: this.now };
    const running: OpenFetch['transfer'] = { connection, abort: null };
    fetch.sends += 1;
    fetch.transfer = running;
    running.abort = transfer(request, connection, options, {
      isWanted: () => this.fetches.has(id) && fetch.transfer === running,
      lost: () => this.noteIfClosed(connection),
      informed: (status, fields) => sink.informed(status, fields),
      started: (status, statusText, fields) => sink.started(status, statusText, fields),
      progress: (bytesToCome) => this.perform(this.scheduler.progress(id, bytesToCome ?? 0, this.now())),
      data: (chunk) => sink.data(chunk),
      ended: (trailers, sample) => {
        this.fetches.delete(id);
        this.measured(sample);
        sink.ended(trailers);
        this.perform(this.scheduler.finished(id, this.now()));
      },
      misdirected: () => this.retire(connection),
      repeat: () => {
        fetch.transfer = null;
        this.perform([...this.scheduler.finished(id, this.now()), ...this.scheduler.put([fetch.object], this.now())]);
      },
      failed: (error, wasSent) => this.end(id, error, wasSent),
    });
  }

  /** Nothing more is sent on it; what is on the way ends. */
  private retire(connection: UpstreamConnection): void {
    this.disconnected(connection.origin, connection.id);
    connection.close();
  }

  /** An aborted or failed request has taken its HTTP/1.1 connection along: nothing more may be sent on it. */
  private noteIfClosed({ origin, id, isOpen }: UpstreamConnection): void {
    if (!isOpen) this.disconnected(origin, id);
  }

  private end(id: number, error: FirstscreenError, wasSent: boolean): void {
    this.fail(id, error, wasSent);
    this.perform(this.scheduler.finished(id, this.now()));
  }

  private fail(id: number, error: FirstscreenError, wasSent: boolean): void {
    const fetch = this.fetches.get(id);
    if (fetch === undefined) return;
    this.fetches.delete(id);
    fetch.sink.failed(error, wasSent);
  }
}

function codedError(error: unknown): FirstscreenError {
  return error instanceof FirstscreenError ? error : new FirstscreenError('E_INTERNAL', 'A connection could not be opened.', 'Report this with the helper\'s log.', { cause: error });
}
