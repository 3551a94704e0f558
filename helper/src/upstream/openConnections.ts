import { coded, type FirstscreenError } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { OpenConnection, UpstreamConnection } from './connection.ts';
import type { TimedScheduler } from './timedScheduler.ts';

export const NOT_OPENED = 'A connection could not be opened.';

/** Who uses connections. */
export interface ConnectionsHost {
  /** One begins to be opened. @returns called when it is there, before anything is sent on it */
  opening(): (connection: UpstreamConnection) => void;
  /** There is no connection for this request. */
  unreachable(id: number, failure: FirstscreenError): void;
  /** One more is there, and is used as the scheduler says. */
  opened(): void;
}

/** The connections on which requests are made, opened when the scheduler says so. */
export class OpenConnections {
  private readonly openConnection: OpenConnection;
  private readonly scheduler: TimedScheduler;
  private readonly host: ConnectionsHost;
  private readonly log: LogSink;
  private readonly connections = new Map<number, UpstreamConnection>();
  /** First connections that are waited for, by origin. */
  private readonly preparations = new Map<string, PromiseWithResolvers<void>>();
  private nextId = 0;
  private isClosed = false;

  constructor(open: OpenConnection, scheduler: TimedScheduler, host: ConnectionsHost, log: LogSink) {
    [this.openConnection, this.scheduler, this.host, this.log] = [open, scheduler, host, log];
  }

  get(id: number): UpstreamConnection | null {
    return this.connections.get(id) ?? null;
  }

  values(): readonly UpstreamConnection[] {
    return [...this.connections.values()];
  }

  /** One that is not the scheduler's. */
  openPinned(origin: string, onClosed: () => void): Promise<UpstreamConnection> {
    return this.openConnection(origin, this.nextId++, onClosed, true);
  }

  async open(origin: string): Promise<void> {
    const id = this.nextId++;
    const isThere = this.host.opening();
    let connection: UpstreamConnection;
    try {
      connection = await this.openConnection(origin, id, () => this.forget(origin, id), false);
    } catch (error) {
      this.failed(origin, coded(error, NOT_OPENED));
      return;
    }
    if (this.isClosed) {
      connection.destroy();
      return;
    }
    this.connections.set(id, connection);
    this.preparations.get(origin)?.resolve();
    this.preparations.delete(origin);
    isThere(connection);
    this.scheduler.connected(connection);
    connection.isReused ||= !connection.isBusy;
    this.host.opened();
  }

  /** As `Upstream.prepare`. */
  async prepare(origin: string, isAwaited: boolean, count: number): Promise<void> {
    const there = this.values().filter((connection) => connection.origin === origin);
    // no other one is made beside one that carries all
    if (there.length >= count || there.some(({ slots }) => slots > 1)) return;
    const ready: PromiseWithResolvers<void> = this.preparations.get(origin) ?? Promise.withResolvers();
    this.preparations.set(origin, ready);
    this.scheduler.prepare(origin, count, isAwaited);
    await ready.promise;
  }

  /** Nothing more is sent on it. */
  forget(origin: string, id: number): void {
    // what was on the way is told by undici, to each of them
    if (this.connections.delete(id)) this.scheduler.disconnected(origin, id);
  }

  /** Nothing more is sent on it; what is on the way ends. */
  retire(connection: UpstreamConnection): void {
    this.forget(connection.origin, connection.id);
    connection.close();
  }

  /** An aborted or failed request has taken its HTTP/1.1 connection along, and the relay all of its: nothing more may be sent on them. */
  forgetClosed(): void {
    for (const { origin, id, isOpen } of this.values()) if (!isOpen) this.forget(origin, id);
  }

  close(): void {
    this.isClosed = true;
    for (const connection of this.connections.values()) connection.destroy();
  }

  private failed(origin: string, failure: FirstscreenError): void {
    this.log({ level: 'info', scope: 'upstream', message: 'no connection', fields: { code: failure.code } });
    this.scheduler.connectFailed(origin, (id) => this.host.unreachable(id, failure));
    this.preparations.get(origin)?.reject(failure);
    this.preparations.delete(origin);
  }
}
