import { stockConnections } from '../../../shared/src/fetching/connectionBudget.ts';
import type { UpstreamConnection } from './connection.ts';
import type { OpenConnections } from './openConnections.ts';
import { isRepeatable, type OpenFetch, type OpenFetches } from './openFetches.ts';
import type { RunningTransfer } from './runningTransfer.ts';
import type { TimedScheduler } from './timedScheduler.ts';

const ASKED_DIRECTLY = 'the relay is silent, and the server is asked directly';
const OVERTAKEN = 'another way has brought what comes next';

/** Who has answers raced. */
export interface RaceHost {
  /** Whether the relay is there, and makes the requests to this server. */
  isRelayed(origin: string): boolean;
  /** By whatever way there is now. */
  sendAgain(fetches: readonly OpenFetch[]): void;
  /** All of its answer has come, and its end is not waited for. */
  isWhole(fetch: OpenFetch): void;
}

/** The direct way and that of a relay that says nothing for now: an answer comes by whichever is first. */
export class RelayRace {
  private readonly fetches: OpenFetches;
  private readonly connections: OpenConnections;
  private readonly scheduler: TimedScheduler;
  private readonly host: RaceHost;
  /** Nothing is asked of the relay, until something is asked for that it could bring. */
  private hasLeft = false;
  /** Direct connections that were opened meanwhile, by server. */
  private readonly stopgaps = new Map<string, number[]>();

  constructor(fetches: OpenFetches, connections: OpenConnections, scheduler: TimedScheduler, host: RaceHost) {
    [this.fetches, this.connections, this.scheduler, this.host] = [fetches, connections, scheduler, host];
  }

  /** A connection begins to be opened. @returns to be called when it is there, before anything is sent on it */
  opening(): (connection: UpstreamConnection) => void {
    const isRelaySilent = this.silentConnections.length > 0;
    const isStopgap = isRelaySilent || this.hasLeft;
    return (connection) => {
      connection.onLate(() => this.openDirectly(connection));
      if (!isStopgap || connection.isRanked || connection.keepsOrder) return;
      this.stopgaps.set(connection.origin, [...(this.stopgaps.get(connection.origin) ?? []), connection.id]);
      if (isRelaySilent) this.leaveRelay();
    };
  }

  /** Something more is asked of a server: where the relay is back it has that, with what it has promised, and direct connections of its silence bring no more than they were asked for. */
  returnToRelay(origin: string): void {
    const ids = this.stopgaps.get(origin);
    if (ids === undefined || !this.host.isRelayed(origin)) return;
    this.hasLeft = false;
    this.stopgaps.delete(origin);
    for (const id of ids) {
      const connection = this.connections.get(id);
      if (connection !== null) this.connections.retire(connection);
    }
  }

  /** One of two ways goes on by itself: it has brought what comes next, or nothing can come by the other one. @param running null for a direct one that is not taken yet */
  goAlone(fetch: OpenFetch, running: RunningTransfer | null): void {
    const { transfer: direct, silent } = fetch;
    if (silent === null) return;
    fetch.silent = null;
    if (running !== silent) {
      silent.stop(OVERTAKEN);
      return;
    }
    fetch.transfer = silent;
    direct?.stop(OVERTAKEN);
    // it may have been ranked meanwhile
    this.fetches.rank(fetch);
    this.scheduler.finished(fetch.id);
  }

  /** The relay has spoken again: of a direct way that has brought nothing new nothing more is wanted. @returns whether the relay's goes on alone */
  callOff(fetch: OpenFetch): boolean {
    if (fetch.silent?.connection.isSilent !== false) return false;
    this.goAlone(fetch, fetch.silent);
    return true;
  }

  /** Nothing comes by one way: the other one goes on. @param running null for one that could not be taken @returns whether there is another one */
  goByOther(fetch: OpenFetch, running: RunningTransfer | null): boolean {
    const { transfer: direct, silent } = fetch;
    if (silent === null) return false;
    this.goAlone(fetch, running === silent ? direct : silent);
    return true;
  }

  /** Those on which nothing is sent any more, too, while something is on its way on them. */
  private get silentConnections(): readonly UpstreamConnection[] {
    return [...new Set([...this.connections.values(), ...this.fetches.connections])].filter(({ isSilent }) => isSilent);
  }

  /** The relay beneath a connection is silent: others are made directly. @returns whether there is something that may be asked for on them */
  private openDirectly(connection: UpstreamConnection): boolean {
    const { origin, keepsOrder } = connection;
    const { length } = this.fetches.sentOn(connection).filter((fetch) => isRepeatable(fetch) || fetch.begun !== null);
    if (length === 0) return false;
    // by the relay all is on one, and a server in clear takes one request at a time
    const count = stockConnections({ objects: length, isMultiplexed: !keepsOrder || !origin.startsWith('http:') });
    for (let opened = 0; opened < count; opened += 1) this.scheduler.openBeside(origin);
    return true;
  }

  /**
   * A direct connection that was begun in the silence of the relay is there before a byte of it, and nothing more is sent by the relay on the connections that there are. What nothing has
   * come of, and may be asked for again, moves; what has begun goes on by whichever way is first.
   */
  private leaveRelay(): void {
    const silent = this.silentConnections;
    this.hasLeft = true;
    // first all of them, those without a request too: none may get what another one had
    for (const { origin, id } of silent) this.connections.forget(origin, id);
    this.connections.forgetClosed();
    for (const connection of silent) connection.overtaken();
    const waiting = silent.flatMap((connection) => this.fetches.sentOn(connection));
    const [untouched, raced] = [waiting.filter(isRepeatable), waiting.filter((fetch) => !isRepeatable(fetch) && fetch.begun?.race() === true)];
    const moved = untouched.map(({ transfer: running }) => running);
    for (const fetch of raced) [fetch.silent, fetch.transfer, fetch.sends] = [fetch.transfer, null, 0];
    this.host.sendAgain([...untouched, ...raced]);
    for (const running of moved) running?.stop(ASKED_DIRECTLY);
    for (const fetch of waiting) {
      const { begun, transfer: running } = fetch;
      if (begun?.isComplete !== true) continue;
      this.host.isWhole(fetch);
      running?.stop(OVERTAKEN);
    }
    for (const connection of silent) connection.close();
  }
}
