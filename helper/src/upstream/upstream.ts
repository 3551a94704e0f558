import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import type { FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import type { StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import { valueOf } from '../../../shared/src/node/http/rawHeaders.ts';
import type { Recording } from '../../../shared/src/requests/recording.ts';
import { authenticatesConnection } from '../http/connectionAuthentication.ts';
import type { AnswerRepairs } from './answerRepair.ts';
import type { OpenConnection, UpstreamConnection } from './connection.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from './fetch.ts';
import { FetchTransfers, type TunnelAnswered } from './fetchTransfers.ts';
import { OpenConnections } from './openConnections.ts';
import { OpenFetches, type OpenFetch } from './openFetches.ts';
import { PinnedConnections } from './pinnedConnections.ts';
import { TimedCredits } from './timedCredits.ts';
import { TimedScheduler } from './timedScheduler.ts';

export interface UpstreamOptions {
  readonly scheduler: FetchScheduler;
  readonly credits: StreamCredits;
  readonly open: OpenConnection;
  /** Whether the relay would make the requests on a connection to this server that is opened now; never by default. */
  readonly isRelayed?: (origin: string) => boolean;
  /** Nobody listens by default. */
  readonly tunnelAnswered?: TunnelAnswered;
  /** Repairs what the driver has filled losses of; nothing is filled by default. */
  readonly repairs?: AnswerRepairs | null;
  /** A transfer has told something of the link. */
  readonly measured: (sample: TransferSample) => void;
  /** So much has come of a body, just now. */
  readonly received: (bytes: number) => void;
  /** Whether servers that speak HTTP/2 are told the order, too. */
  readonly tellsUrgency: boolean;
  /** Hears of the way of each request, and may come and go; nobody by default. */
  readonly recording?: Pick<Recording, 'recorder'>;
  readonly log: LogSink;
}

const RESERVED_CONNECTIONS = 2;

/** Makes requests on connections of its own, in the order and on the connections that the scheduler says. */
export class Upstream {
  private readonly repairs: AnswerRepairs | null;
  private readonly recording: Pick<Recording, 'recorder'>;
  private readonly fetches = new OpenFetches();
  private readonly scheduler: TimedScheduler;
  private readonly credits: TimedCredits;
  private readonly connections: OpenConnections;
  private readonly pins: PinnedConnections;
  private readonly transfers: FetchTransfers;
  private nextId = 0;

  constructor({ scheduler, credits, open, isRelayed = () => false, tunnelAnswered = () => false, repairs = null, measured, received, tellsUrgency, recording = { recorder: null }, log }: UpstreamOptions) {
    [this.repairs, this.recording] = [repairs, recording];
    this.credits = new TimedCredits(credits);
    this.scheduler = new TimedScheduler(scheduler, {
      open: (origin) => void this.connections.open(origin),
      close: (id) => this.connections.get(id)?.close(),
      send: (connectionId, id) => {
        const [fetch, connection] = [this.fetches.get(id), this.connections.get(connectionId)];
        if (fetch === null) return;
        if (connection !== null) this.transfers.send(fetch, connection);
        // it has gone with what was to be sent on it before, in the same turn
        else this.scheduler.putSoon(fetch.object);
      },
      isSchedulers: (id) => this.isSchedulers(id),
      hasPut: () => this.noteWaits(),
    });
    this.connections = new OpenConnections(open, this.scheduler, {
      opening: () => this.transfers.race.opening(),
      unreachable: (id, failure) => {
        const fetch = this.fetches.get(id);
        if (fetch !== null) this.transfers.unreachable(fetch, failure);
      },
      opened: () => this.noteWaits(),
    }, log);
    this.pins = new PinnedConnections((origin, onClosed) => this.connections.openPinned(origin, onClosed));
    this.transfers = new FetchTransfers({ fetches: this.fetches, connections: this.connections, scheduler: this.scheduler, credits: this.credits, repairs, tellsUrgency, recording, isRelayed, tunnelAnswered, measured, received });
  }

  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch {
    const id = this.nextId++;
    const { method, body, origin, fetchClass, isImage = false, index, bytes, isForeseen, browser, headers } = request;
    const pinned = browser && (authenticatesConnection(headers) ? this.pins.getOrOpen(browser, origin) : this.pins.get(browser, origin));
    const object = { id, origin, fetchClass, isImage, index, bytes, isAwaited: !isForeseen, isOnce: body !== null || !isSafe(method) };
    const fetch: OpenFetch = { id, request, sink, object, priority: valueOf(headers, 'priority') ?? request.expectedPriority ?? null, sends: 0, isPinned: pinned !== null, begun: null, transfer: null, silent: null };
    this.fetches.add(fetch);
    const url = `${origin}${request.path}`;
    if (isForeseen) this.recording.recorder?.foreseen(id, url, fetchClass);
    else this.recording.recorder?.asked(id, url, fetchClass, true);
    if (pinned === null) {
      this.transfers.race.returnToRelay(origin);
      this.scheduler.putSoon(object);
    } else void this.transfers.sendPinned(fetch, pinned);
    return {
      rank: (ranked) => this.change(fetch, { fetchClass: ranked }),
      await: (ranked, priority) => {
        fetch.priority = priority ?? fetch.priority;
        this.change(fetch, { fetchClass: ranked < fetch.object.fetchClass ? ranked : fetch.object.fetchClass, isAwaited: true });
        this.recording.recorder?.asked(id, url, fetch.object.fetchClass, false);
      },
      revise: (fields) => {
        // what goes on in its middle has been sent, too
        if (fetch.sends > 0 || fetch.begun !== null || this.fetches.get(id) === null) return false;
        fetch.request = { ...request, headers: fields };
        return true;
      },
      cancel: () => this.transfers.cancel(fetch),
    };
  }

  /**
   * Settles when there is a connection to an origin.
   *
   * @param isAwaited something will be asked of it as soon as it is there
   * @param connections so many are to be there in the end
   * @throws FirstscreenError as `open`
   */
  prepare(origin: string, isAwaited = true, connections = 1): Promise<void> {
    return this.connections.prepare(origin, isAwaited, connections);
  }

  /** A document is asked for: a second connection is made beside its own, as browsers do, for what its first bytes name. */
  reserve(origin: string): void {
    this.scheduler.prepare(origin, RESERVED_CONNECTIONS);
  }

  /** No request joins the connections that there are: they close when what is on the way has ended. */
  retireConnections(): void {
    for (const connection of this.connections.values()) this.connections.retire(connection);
  }

  /**
   * The machine has slept, or is in another network: no request joins the connections of before.
   *
   * @param isUsable whether a connection from this address of the machine can still carry what is on the way
   */
  networkChanged(isUsable: (localAddress: string) => boolean): void {
    const isLost = ({ localAddress }: UpstreamConnection): boolean => !isUsable(localAddress);
    const before = this.connections.values();
    this.retireConnections();
    this.repairs?.networkChanged();
    for (const connection of before.filter(isLost)) connection.destroy();
    this.pins.destroy(isLost);
  }

  /** Finds connections whose servers are there no more, although requests wait on them; also those that no request joins. */
  checkConnections(): void {
    for (const connection of new Set([...this.connections.values(), ...this.fetches.connections])) if (connection.check(performance.now())) this.transfers.leaveSilent(connection);
  }

  get isBusy(): boolean {
    return this.fetches.size > 0;
  }

  /** What is on the way fails, so that nobody waits for it. */
  close(): void {
    this.scheduler.close();
    this.credits.close();
    for (const fetch of this.fetches.values()) this.transfers.fail(fetch, new FirstscreenError('E_UPSTREAM', 'The helper has ended.', 'Load the page again.'), true);
    this.connections.close();
    this.pins.destroy(() => true);
    this.repairs?.close();
  }

  private change(fetch: OpenFetch, changes: Partial<FetchObject>): void {
    if (this.fetches.get(fetch.id) === null) return;
    const { fetchClass: before } = fetch.object;
    fetch.object = { ...fetch.object, ...changes };
    const { id, fetchClass } = fetch.object;
    if (fetchClass !== before) this.recording.recorder?.ranked(id, fetchClass);
    this.fetches.rank(fetch);
    if (!fetch.isPinned) this.scheduler.putSoon(fetch.object);
  }

  /** Not of what ends on a connection that the scheduler knows no more, which it would send again. */
  private isSchedulers(id: number): boolean {
    const fetch = this.fetches.get(id);
    return fetch !== null && (fetch.transfer === null || this.connections.get(fetch.transfer.connection.id) !== null);
  }

  /** What waits, and for what, is told when something new waits or there is a new connection. */
  private noteWaits(): void {
    const { recorder } = this.recording;
    if (recorder === null) return;
    for (const { id, transfer: running } of this.fetches.values()) if (running === null) recorder.waiting(id, this.scheduler.reasonToWait(id));
  }
}
