import type { Dispatcher } from 'undici';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { FetchCommand, FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { valueOf, type RawHeaders } from '../http/rawHeaders.ts';
import type { UpstreamConnection } from './connection.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from './fetch.ts';
import { withUrgency } from './urgency.ts';

/** Opens a connection to an origin. @throws FirstscreenError E_NAME, E_CONNECT, E_UPSTREAM_TLS */
export type OpenConnection = (origin: string, id: number, onClosed: () => void) => Promise<UpstreamConnection>;

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

/** Safe to make twice, so that one that was lost with its connection may be (RFC 9110, section 9.2.2). */
const IDEMPOTENT: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);
const MAX_SENDS = 2;
const RESERVED_CONNECTIONS = 2;
const WANTED_NO_MORE = 'the browser wants it no more';

interface OpenFetch {
  readonly request: UpstreamRequest;
  readonly sink: ResponseSink;
  object: FetchObject;
  sends: number;
  /** Of the transfer that is under way. */
  transfer: { readonly connection: UpstreamConnection; abort: ((reason: Error) => void) | null } | null;
}

/** Makes requests on connections of its own, in the order and on the connections that the scheduler says. */
export class Upstream {
  private readonly scheduler: FetchScheduler;
  private readonly open: OpenConnection;
  private readonly measured: (sample: TransferSample) => void;
  private readonly tellsUrgency: boolean;
  private readonly log: LogSink;
  private readonly now: () => number;
  private readonly fetches = new Map<number, OpenFetch>();
  /** Added, or ranked anew, and not told to the scheduler yet; by id. */
  private readonly toPut = new Map<number, FetchObject>();
  private readonly connections = new Map<number, UpstreamConnection>();
  /** Who waits for a first connection, by origin. */
  private readonly preparations = new Map<string, { resolve: () => void; reject: (error: FirstscreenError) => void }[]>();
  private nextFetch = 0;
  private nextConnection = 0;
  private timer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor({ scheduler, open, measured, tellsUrgency, log, now }: UpstreamOptions) {
    this.scheduler = scheduler;
    this.open = open;
    this.measured = measured;
    this.tellsUrgency = tellsUrgency;
    this.log = log;
    this.now = now;
  }

  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch {
    const id = this.nextFetch++;
    const { origin, fetchClass, index, bytes, foreseenFor } = request;
    const fetch: OpenFetch = { request, sink, object: { id, origin, fetchClass, index, bytes, isAwaited: foreseenFor === null }, sends: 0, transfer: null };
    this.fetches.set(id, fetch);
    this.putSoon(fetch.object);
    const change = (changes: Partial<FetchObject>): void => {
      if (!this.fetches.has(id)) return;
      fetch.object = { ...fetch.object, ...changes };
      this.putSoon(fetch.object);
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
    await new Promise<void>((resolve, reject) => {
      this.preparations.set(origin, [...(this.preparations.get(origin) ?? []), { resolve, reject }]);
      this.perform(this.scheduler.prepare(origin, 1, this.now()));
    });
  }

  /** A document is asked for: a second connection is made beside its own, as browsers do, for what its first bytes name. */
  reserve(origin: string): void {
    this.perform(this.scheduler.prepare(origin, RESERVED_CONNECTIONS, this.now()));
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    for (const connection of this.connections.values()) connection.destroy();
  }

  /** A plan ranks dozens at a stroke, and a document names as many: they are one event to the scheduler. */
  private putSoon(object: FetchObject): void {
    this.toPut.set(object.id, object);
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
    clearTimeout(this.timer);
    if (timerMs !== null) this.timer = setTimeout(() => this.perform(this.scheduler.advance(this.now())), Math.max(0, timerMs - this.now()));
  }

  private async openConnection(origin: string): Promise<void> {
    const id = this.nextConnection++;
    let connection: UpstreamConnection;
    try {
      connection = await this.open(origin, id, () => this.disconnected(origin, id));
    } catch (error) {
      const coded = error instanceof FirstscreenError ? error : new FirstscreenError('E_INTERNAL', 'A connection could not be opened.', 'Report this with the helper\'s log.', { cause: error });
      this.log({ level: 'info', scope: 'upstream', message: 'no connection', fields: { code: coded.code } });
      const { commands, unreachable } = this.scheduler.connectFailed(origin, this.now());
      for (const { id: fetchId } of unreachable) this.fail(fetchId, coded, false);
      for (const { reject } of this.prepared(origin)) reject(coded);
      this.perform(commands);
      return;
    }
    if (this.isClosed) {
      connection.destroy();
      return;
    }
    this.connections.set(id, connection);
    for (const { resolve } of this.prepared(origin)) resolve();
    this.perform(this.scheduler.connected(origin, id, connection.slots, this.now()));
  }

  private prepared(origin: string): { resolve: () => void; reject: (error: FirstscreenError) => void }[] {
    const waiting = this.preparations.get(origin) ?? [];
    this.preparations.delete(origin);
    return waiting;
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
    if (fetch === undefined || connection === undefined) return;
    const { method, path, body } = fetch.request;
    const headers = this.tellsUrgency && connection.isH2 ? withUrgency(fetch.request.headers, fetch.object) : fetch.request.headers;
    const wasReused = connection.hasAnswered;
    fetch.sends += 1;
    fetch.transfer = { connection, abort: null };
    connection.send({ method, path, headers: [...headers], body, idempotent: IDEMPOTENT.has(method), blocking: false }, this.handlerOf(id, fetch, connection, wasReused));
  }

  private handlerOf(id: number, fetch: OpenFetch, connection: UpstreamConnection, wasReused: boolean): Dispatcher.DispatchHandler {
    const { sink } = fetch;
    const startMs = this.now();
    let headersMs = 0;
    let bytes = 0;
    let hasStarted = false;
    let bytesToCome: number | null = null;
    return {
      onRequestStart: (controller) => {
        if (fetch.transfer !== null) fetch.transfer.abort = (reason) => controller.abort(reason);
        if (!this.fetches.has(id)) controller.abort(new Error(WANTED_NO_MORE));
      },
      onResponseStart: (controller, status, _headers, statusText) => {
        connection.hasAnswered = true;
        const headers = rawOf(controller.rawHeaders);
        if (status < 200) {
          sink.informed(status, headers);
          return;
        }
        hasStarted = true;
        headersMs = this.now();
        bytesToCome = contentLength(headers);
        if (bytesToCome !== null) this.perform(this.scheduler.progress(id, bytesToCome, headersMs));
        sink.started(status, statusText ?? '', headers);
      },
      onResponseData: (controller, chunk) => {
        bytes += chunk.length;
        this.perform(this.scheduler.progress(id, bytesToCome === null ? 0 : bytesToCome - bytes, this.now()));
        const wait = sink.data(chunk);
        if (wait === null) return;
        controller.pause();
        void wait.then(() => controller.resume());
      },
      onResponseEnd: (controller) => {
        if (!this.fetches.delete(id)) return;
        this.measured({ startMs, setup: 'none', headersMs, endMs: this.now(), bytes });
        sink.ended(rawOf(controller.rawTrailers));
        this.perform(this.scheduler.finished(id, this.now()));
      },
      onResponseError: (_, error) => {
        this.noteIfClosed(connection);
        if (!this.fetches.has(id)) return;
        const mayRepeat = !hasStarted && wasReused && fetch.sends < MAX_SENDS && IDEMPOTENT.has(fetch.request.method) && fetch.request.body === null;
        const commands = this.scheduler.finished(id, this.now());
        if (mayRepeat) this.perform([...commands, ...this.scheduler.put([fetch.object], this.now())]);
        else {
          this.fail(id, new FirstscreenError('E_UPSTREAM', 'The server ended the connection before the answer was there.', 'Load the page again.', { cause: error }), true);
          this.perform(commands);
        }
      },
    };
  }

  /** An aborted or failed request has taken its HTTP/1.1 connection along: nothing more may be sent on it. */
  private noteIfClosed({ origin, id, isOpen }: UpstreamConnection): void {
    if (!isOpen) this.disconnected(origin, id);
  }

  private fail(id: number, error: FirstscreenError, wasSent: boolean): void {
    const fetch = this.fetches.get(id);
    if (fetch === undefined) return;
    this.fetches.delete(id);
    fetch.sink.failed(error, wasSent);
  }
}

function contentLength(headers: RawHeaders): number | null {
  const value = valueOf(headers, 'content-length');
  return value !== null && /^\d{1,15}$/.test(value) ? Number(value) : null;
}

/** undici gives them as bytes or as text; a field's bytes are those of Latin-1 (RFC 9110, section 5.5). */
function rawOf(headers: Dispatcher.DispatchController['rawHeaders']): RawHeaders {
  return Array.isArray(headers) ? headers.map((part) => (typeof part === 'string' ? part : part.toString('latin1'))) : Object.entries(headers ?? {}).flatMap(([name, value]) => [value].flat().flatMap((one) => (one === undefined ? [] : [name, one])));
}
