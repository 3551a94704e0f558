import type { FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { FetchCommand, FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import type { UpstreamConnection } from './connection.ts';
import { MovingTimer } from './movingTimer.ts';

/** Who carries out what the scheduler decides. */
export interface CommandHost {
  open(origin: string): void;
  close(connection: number): void;
  send(connection: number, id: number): void;
  /** Whether the scheduler is still to know of what was put a moment ago. */
  isSchedulers(id: number): boolean;
  /** The scheduler knows of all that was put. */
  hasPut(): void;
}

/** The scheduler, and the clock that it goes by: what it decides is carried out at once. */
export class TimedScheduler {
  private readonly scheduler: FetchScheduler;
  private readonly host: CommandHost;
  /** Added, or ranked anew, and not told to the scheduler yet; by id. */
  private readonly toPut = new Map<number, FetchObject>();
  private readonly timer = new MovingTimer(() => this.perform(this.scheduler.advance(performance.now())));
  private isClosed = false;

  constructor(scheduler: FetchScheduler, host: CommandHost) {
    [this.scheduler, this.host] = [scheduler, host];
  }

  /** A plan ranks dozens at a stroke, and a document names as many: they are one event to the scheduler. */
  putSoon(object: FetchObject): void {
    this.toPut.set(object.id, object);
    if (this.toPut.size > 1) return;
    queueMicrotask(() => {
      // one that has ended meanwhile would keep a connection that nobody uses
      const objects = [...this.toPut.values()].filter(({ id }) => this.host.isSchedulers(id));
      this.toPut.clear();
      if (this.isClosed) return;
      this.perform(this.scheduler.put(objects, performance.now()));
      this.host.hasPut();
    });
  }

  /** They are sent once more, as if they had not been. */
  putAgain(objects: readonly FetchObject[]): void {
    const nowMs = performance.now();
    this.perform([...objects.flatMap(({ id }) => this.scheduler.finished(id, nowMs)), ...this.scheduler.put(objects, nowMs)]);
  }

  progress(id: number, bytesToCome: number): void {
    this.perform(this.scheduler.progress(id, bytesToCome, performance.now()));
  }

  finished(id: number): void {
    this.toPut.delete(id);
    this.perform(this.scheduler.finished(id, performance.now()));
  }

  prepare(origin: string, count: number, isAwaited?: boolean): void {
    this.perform(this.scheduler.prepare(origin, count, performance.now(), isAwaited));
  }

  openBeside(origin: string): void {
    this.perform(this.scheduler.openBeside(origin));
  }

  connected({ origin, id, slots, keepsOrder }: Pick<UpstreamConnection, 'origin' | 'id' | 'slots' | 'keepsOrder'>): void {
    this.perform(this.scheduler.connected(origin, id, slots, performance.now(), keepsOrder));
  }

  /** @param unreachable told of each object that there is no connection for, before anything else is done */
  connectFailed(origin: string, unreachable: (id: number) => void): void {
    const { commands, unreachable: objects } = this.scheduler.connectFailed(origin, performance.now());
    for (const { id } of objects) unreachable(id);
    this.perform(commands);
  }

  disconnected(origin: string, connection: number): void {
    this.perform(this.scheduler.disconnected(origin, connection, performance.now()));
  }

  reasonToWait(id: number): ReturnType<FetchScheduler['reasonToWait']> {
    return this.scheduler.reasonToWait(id);
  }

  close(): void {
    this.isClosed = true;
    this.timer.close();
  }

  private perform(commands: readonly FetchCommand[]): void {
    if (this.isClosed) return;
    for (const command of commands) {
      if (command.type === 'open') this.host.open(command.origin);
      else if (command.type === 'close') this.host.close(command.connection);
      else this.host.send(command.connection, command.object.id);
    }
    this.timer.set(this.scheduler.nextTimerMs);
  }
}
