import { FirstscreenError, coded } from '../../../shared/src/errors.ts';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { stockConnections } from '../../../shared/src/fetching/connectionBudget.ts';
import { levelOf, type FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { FetchCommand, FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import type { Recording } from '../../../shared/src/requests/recording.ts';
import type { RequestRecorder } from '../../../shared/src/requests/requestRecorder.ts';
import { authenticatesConnection } from '../http/connectionAuthentication.ts';
import type { StreamCredit, StreamCredits } from '../../../shared/src/fetching/streamCredits.ts';
import type { CreditedStream, OpenConnection, RankedStream, UpstreamConnection } from './connection.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { strongValidatorOf } from '../http/partialContent.ts';
import type { AnswerRepair, AnswerRepairs } from './answerRepair.ts';
import { BegunAnswer, mayGoOn, type AnswerWay } from './begunAnswer.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from './fetch.ts';
import { PinnedConnections } from './pinnedConnections.ts';
import { transfer, type Transfer } from './transfer.ts';
import { priorityOf, withPriority } from './urgency.ts';

export interface UpstreamOptions {
  readonly scheduler: FetchScheduler;
  readonly credits: StreamCredits;
  readonly open: OpenConnection;
  /** Repairs what the driver has filled losses of; nothing is filled by default. */
  readonly repairs?: AnswerRepairs | null;
  /** A transfer has told something of the link. */
  readonly measured: (sample: TransferSample) => void;
  /** Whether servers that speak HTTP/2 are told the order, too. */
  readonly tellsUrgency: boolean;
  /** Hears of the way of each request; nobody by default. */
  readonly recording?: Pick<Recording, 'recorder'>;
  readonly log: LogSink;
}

const RESERVED_CONNECTIONS = 2;
const NOT_OPENED = 'A connection could not be opened.';
const WANTED_NO_MORE = 'the browser wants it no more';
const ASKED_DIRECTLY = 'the relay is silent, and the server is asked directly';
const ASKED_AGAIN = 'all of the answer is asked for again';
const CHANGED = 'what the server answers is another answer now';
const OVERTAKEN = 'another way has brought what comes next';
const REST_ASKED_AGAIN = 'the rest of the answer is asked for again';

interface RunningTransfer {
  readonly connection: UpstreamConnection;
  transfer: Transfer | null;
  /** Of what has come of its answer, where that may go on by another way. */
  way: AnswerWay | null;
  /** Once it has left, where its other end needs credit. */
  sent: { readonly stream: CreditedStream; readonly credit: StreamCredit } | null;
  /** The same, where it keeps our order, and the level that it knows. */
  ranked: { readonly stream: RankedStream; level: number } | null;
  /** As the server was told; null where it is not. */
  priority: string | null;
  /** What stands between its connection and its way; null for nothing. */
  repair: AnswerRepair | null;
}

interface OpenFetch {
  readonly request: UpstreamRequest;
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

/** Makes requests on connections of its own, in the order and on the connections that the scheduler says. */
export class Upstream {
  private readonly options: UpstreamOptions;
  private readonly pins: PinnedConnections;
  private readonly fetches = new Map<number, OpenFetch>();
  /** Added, or ranked anew, and not told to the scheduler yet; by id. */
  private readonly toPut = new Map<number, FetchObject>();
  private readonly connections = new Map<number, UpstreamConnection>();
  /** Whose requests are others now, or of other levels. */
  private readonly toRank = new Set<UpstreamConnection>();
  /** First connections that are waited for, by origin. */
  private readonly preparations = new Map<string, PromiseWithResolvers<void>>();
  private nextFetch = 0;
  private nextConnection = 0;
  private timer: NodeJS.Timeout | undefined;
  private timerMs: number | null = null;
  private creditTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(options: UpstreamOptions) {
    this.options = options;
    this.pins = new PinnedConnections((origin, onClosed) => options.open(origin, this.nextConnection++, onClosed, true));
  }

  /** Who hears of it may come and go. */
  private get recorder(): RequestRecorder | null {
    return this.options.recording?.recorder ?? null;
  }

  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch {
    const id = this.nextFetch++;
    const { origin, fetchClass, isImage = false, index, bytes, isForeseen, browser, headers } = request;
    const pinned = browser && (authenticatesConnection(headers) ? this.pins.getOrOpen(browser, origin) : this.pins.get(browser, origin));
    const object = { id, origin, fetchClass, isImage, index, bytes, isAwaited: !isForeseen };
    const fetch: OpenFetch = { request, sink, object, priority: valueOf(headers, 'priority') ?? request.expectedPriority ?? null, sends: 0, isPinned: pinned !== null, begun: null, transfer: null, silent: null };
    this.fetches.set(id, fetch);
    const url = `${origin}${request.path}`;
    if (isForeseen) this.recorder?.foreseen(id, url, fetchClass);
    else this.recorder?.asked(id, url, fetchClass, true);
    if (pinned === null) this.putSoon(fetch);
    else void this.sendPinned(id, fetch, pinned);
    const change = (changes: Partial<FetchObject>): void => {
      if (!this.fetches.has(id)) return;
      const { fetchClass: before } = fetch.object;
      fetch.object = { ...fetch.object, ...changes };
      if (fetch.object.fetchClass !== before) this.recorder?.ranked(id, fetch.object.fetchClass);
      this.rankSent(fetch);
      if (!fetch.isPinned) this.putSoon(fetch);
    };
    return {
      rank: (ranked) => change({ fetchClass: ranked }),
      await: (ranked, priority) => {
        fetch.priority = priority ?? fetch.priority;
        change({ fetchClass: ranked < fetch.object.fetchClass ? ranked : fetch.object.fetchClass, isAwaited: true });
        this.recorder?.asked(id, url, fetch.object.fetchClass, false);
      },
      cancel: () => {
        if (!this.fetches.delete(id)) return;
        this.toPut.delete(id);
        this.rankSoon(fetch);
        this.recorder?.ended(id, 'cancelled', fetch.object.fetchClass);
        for (const running of [fetch.transfer, fetch.silent]) this.stop(running, WANTED_NO_MORE);
        if (fetch.transfer !== null) this.noteClosed();
        this.perform(this.options.scheduler.finished(id, performance.now()));
      },
    };
  }

  /**
   * Settles when there is a connection to an origin.
   *
   * @param isAwaited something will be asked of it as soon as it is there
   * @throws FirstscreenError as `open`
   */
  async prepare(origin: string, isAwaited = true): Promise<void> {
    if ([...this.connections.values()].some((connection) => connection.origin === origin)) return;
    const ready: PromiseWithResolvers<void> = this.preparations.get(origin) ?? Promise.withResolvers();
    this.preparations.set(origin, ready);
    this.perform(this.options.scheduler.prepare(origin, 1, performance.now(), isAwaited));
    await ready.promise;
  }

  /** A document is asked for: a second connection is made beside its own, as browsers do, for what its first bytes name. */
  reserve(origin: string): void {
    this.perform(this.options.scheduler.prepare(origin, RESERVED_CONNECTIONS, performance.now()));
  }

  /** No request joins the connections that there are: they close when what is on the way has ended. */
  retireConnections(): void {
    for (const connection of [...this.connections.values()]) this.retire(connection);
  }

  /**
   * The machine has slept, or is in another network: no request joins the connections of before.
   *
   * @param isUsable whether a connection from this address of the machine can still carry what is on the way
   */
  networkChanged(isUsable: (localAddress: string) => boolean): void {
    const isLost = ({ localAddress }: UpstreamConnection): boolean => !isUsable(localAddress);
    const before = [...this.connections.values()];
    this.retireConnections();
    this.options.repairs?.networkChanged();
    for (const connection of before.filter(isLost)) connection.destroy();
    this.pins.destroy(isLost);
  }

  /** Finds connections whose servers are there no more, although requests wait on them. */
  checkConnections(): void {
    for (const connection of this.connections.values()) connection.check(performance.now());
  }

  get isBusy(): boolean {
    return this.fetches.size > 0;
  }

  /** What is on the way fails, so that nobody waits for it. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
    clearTimeout(this.creditTimer);
    for (const id of [...this.fetches.keys()]) this.fail(id, new FirstscreenError('E_UPSTREAM', 'The helper has ended.', 'Load the page again.'), true);
    for (const connection of this.connections.values()) connection.destroy();
    this.pins.destroy(() => true);
    this.options.repairs?.close();
  }

  /** A plan ranks dozens at a stroke, and a document names as many: they are one event to the scheduler. */
  private putSoon(fetch: OpenFetch): void {
    this.toPut.set(fetch.object.id, fetch.object);
    if (this.toPut.size > 1) return;
    queueMicrotask(() => {
      // one that has ended meanwhile would keep a connection that nobody uses
      const objects = [...this.toPut.values()].filter(({ id }) => this.isSchedulers(id));
      this.toPut.clear();
      if (!this.isClosed) this.perform(this.options.scheduler.put(objects, performance.now()));
      this.noteWaits();
    });
  }

  /** Whether the scheduler is to know of it: not of what ends on a connection that it knows no more, which it would send again. */
  private isSchedulers(id: number): boolean {
    const fetch = this.fetches.get(id);
    return fetch !== undefined && (fetch.transfer === null || this.connections.has(fetch.transfer.connection.id));
  }

  private perform(commands: readonly FetchCommand[]): void {
    for (const command of commands) {
      if (command.type === 'open') void this.openConnection(command.origin);
      else if (command.type === 'close') this.connections.get(command.connection)?.close();
      else this.send(command.connection, command.object);
    }
    const timerMs = this.options.scheduler.nextTimerMs;
    if (timerMs === this.timerMs) return;
    this.timerMs = timerMs;
    clearTimeout(this.timer);
    if (timerMs !== null) this.timer = setTimeout(() => {
      this.timerMs = null;
      this.perform(this.options.scheduler.advance(performance.now()));
    }, Math.max(0, timerMs - performance.now()));
  }

  private async openConnection(origin: string): Promise<void> {
    const id = this.nextConnection++;
    const isRelaySilent = this.isRelaySilent;
    let connection: UpstreamConnection;
    try {
      connection = await this.options.open(origin, id, () => this.disconnected(origin, id), false);
    } catch (error) {
      const failure = coded(error, NOT_OPENED);
      this.options.log({ level: 'info', scope: 'upstream', message: 'no connection', fields: { code: failure.code } });
      const { commands, unreachable } = this.options.scheduler.connectFailed(origin, performance.now());
      for (const { id: fetchId } of unreachable) {
        const fetch = this.fetches.get(fetchId);
        if (fetch === undefined || !this.goByOther(fetchId, fetch, null)) this.fail(fetchId, failure, false);
      }
      this.preparations.get(origin)?.reject(failure);
      this.preparations.delete(origin);
      this.perform(commands);
      return;
    }
    if (this.isClosed) {
      connection.destroy();
      return;
    }
    this.connections.set(id, connection);
    connection.onLate(() => this.raceDirectly(connection));
    this.preparations.get(origin)?.resolve();
    this.preparations.delete(origin);
    if (isRelaySilent && !connection.isRanked && !connection.keepsOrder) this.leaveRelay();
    this.perform(this.options.scheduler.connected(origin, id, connection.slots, performance.now()));
    connection.isReused ||= !connection.isBusy;
    this.noteWaits();
  }

  private get isRelaySilent(): boolean {
    return this.silentConnections.length > 0;
  }

  /** Those on which nothing is sent any more, too, while something is on its way on them. */
  private get silentConnections(): readonly UpstreamConnection[] {
    const used = [...this.fetches.values()].flatMap(({ transfer: running }) => running?.connection ?? []);
    return [...new Set([...this.connections.values(), ...used])].filter(({ isSilent }) => isSilent);
  }

  /** What waits, and for what, is told when something new waits or there is a new connection. */
  private noteWaits(): void {
    const { recorder } = this;
    if (recorder === null) return;
    for (const [id, { transfer: running }] of this.fetches) if (running === null) recorder.waiting(id, this.options.scheduler.reasonToWait(id));
  }

  private disconnected(origin: string, id: number): void {
    if (!this.connections.delete(id)) return;
    // what was on the way is told by undici, to each of them
    this.perform(this.options.scheduler.disconnected(origin, id, performance.now()));
  }

  private send(connectionId: number, { id }: FetchObject): void {
    const fetch = this.fetches.get(id);
    const connection = this.connections.get(connectionId);
    if (fetch !== undefined && connection !== undefined && !this.callOff(id, fetch)) this.transfer(id, fetch, connection);
  }

  /** One request waits for the other there (undici keeps them), as on the browser's own connection. */
  private async sendPinned(id: number, fetch: OpenFetch, opening: Promise<UpstreamConnection>): Promise<void> {
    try {
      const connection = await opening;
      if (this.fetches.has(id)) this.transfer(id, fetch, connection);
    } catch (error) {
      this.end(id, coded(error, NOT_OPENED), false);
    }
  }

  private transfer(id: number, fetch: OpenFetch, connection: UpstreamConnection): void {
    const { sink, request } = fetch;
    const isByRelay = connection.keepsOrder || connection.isRanked;
    if (isByRelay && !fetch.isPinned && mayGoOn(request)) fetch.begun ??= new BegunAnswer(sink);
    const fields = fetch.begun?.fieldsOf(request.headers) ?? request.headers;
    const priority = this.options.tellsUrgency && connection.isH2 && !connection.keepsOrder ? priorityOf(request.headers, fetch.object, fetch.priority) : null;
    const headers = priority === null ? fields : withPriority(fields, priority);
    const running: RunningTransfer = { connection, transfer: null, way: null, sent: null, ranked: null, priority, repair: null };
    if (fetch.begun !== null) running.way = this.wayOf(id, fetch, running, fetch.begun);
    // what goes on after a loss is not repaired: it may be lost as often as any
    else if (!isByRelay && !fetch.isPinned) running.repair = this.repairOf(id, fetch, running);
    const level = levelOf(fetch.object);
    const mayRepeat = fetch.sends === 0 && !fetch.isPinned;
    fetch.sends += 1;
    fetch.transfer = running;
    this.rankSoon(fetch);
    this.recorder?.sent(id, connection.id, fetch.object.fetchClass);
    running.transfer = transfer(request, running.way ?? running.repair ?? sink, connection, {
      headers,
      mayRepeat,
      isWanted: () => this.fetches.has(id) && (fetch.transfer === running || fetch.silent === running),
      // what is made again must not take another one that has gone with the relay
      lost: () => this.noteClosed(),
      // on a connection of its own everything waits for the first
      isCredited: !fetch.isPinned,
      told: { level, pushes: request.pushes ?? null },
      left: (stream) => {
        if ('rank' in stream) {
          running.ranked = { stream, level };
          return;
        }
        // undici sends what a server has refused once more, on another stream
        this.endCredit(running);
        this.recorder?.limited(id, stream.unreadBytes > 0);
        const give = (bytes: number): void => {
          this.recorder?.given(id, bytes);
          stream.give(bytes);
        };
        const credit = this.options.credits.open(fetch.object, give, performance.now(), stream.unreadBytes);
        running.sent = { stream, credit };
        this.credited();
      },
      answered: (length) => {
        running.sent?.credit.answered(length, performance.now());
        this.credited();
        this.recorder?.answered(id, length);
        if (length === null) return;
        fetch.object = { ...fetch.object, bytes: length };
        this.rankSent(fetch);
        this.perform(this.options.scheduler.progress(id, length, performance.now()));
      },
      received: (bytes, bytesToCome) => {
        running.sent?.credit.received(bytes, performance.now());
        this.credited();
        this.recorder?.received(id, bytes);
        this.perform(this.options.scheduler.progress(id, bytesToCome ?? 0, performance.now()));
      },
      held: (isHeld) => {
        running.sent?.credit.hold(isHeld, performance.now());
        this.credited();
      },
      ended: (trailers, sample) => {
        if (running.repair !== null) {
          running.repair.ended(() => this.succeed(id, fetch, trailers, sample));
          return;
        }
        if (running.way?.isWhole === false) {
          if (!this.goByOther(id, fetch, running)) this.end(id, changed(), true);
          return;
        }
        this.goAlone(id, fetch, running);
        this.succeed(id, fetch, trailers, sample);
      },
      misdirected: () => this.retire(connection),
      repeat: () => {
        // by the direct way it is made again as any
        if (fetch.silent !== running) this.sendAgain([fetch]);
        else this.goAlone(id, fetch, fetch.transfer);
      },
      failed: (error, wasSent) => {
        if (this.goByOther(id, fetch, running)) return;
        if (connection.isLostWithRelay && fetch.begun?.isComplete === true) this.succeed(id, fetch, [], null);
        else if (connection.isLostWithRelay && fetch.begun?.lost() === true) this.goOn(fetch);
        else this.end(id, error, wasSent);
      },
    });
  }

  private wayOf(id: number, fetch: OpenFetch, running: RunningTransfer, begun: BegunAnswer): AnswerWay {
    return begun.way({
      ahead: () => this.goAlone(id, fetch, running),
      repeats: () => void this.callOff(id, fetch),
      again: () => {
        this.goOn(fetch);
        running.transfer?.stop(new Error(ASKED_AGAIN));
      },
      broken: () => {
        if (!this.goByOther(id, fetch, running)) this.end(id, changed(), true);
        running.transfer?.stop(new Error(CHANGED));
      },
    });
  }

  private repairOf(id: number, fetch: OpenFetch, running: RunningTransfer): AnswerRepair | null {
    const repairs = this.options.repairs ?? null;
    return repairs && repairs.repair(fetch.request, running.connection.flow, fetch.sink, {
      begin: () => {
        fetch.begun = new BegunAnswer(fetch.sink, strongValidatorOf);
        return (running.way = this.wayOf(id, fetch, running, fetch.begun));
      },
      lost: () => {
        fetch.transfer = null;
        this.stop(running, REST_ASKED_AGAIN);
        this.noteClosed();
        if (fetch.begun?.lost() === true) this.goOn(fetch);
        else this.end(id, changed(), true);
      },
    });
  }

  /** The rest of an answer is asked for, by whatever way there is now; that may be lost once before anything comes, as any. */
  private goOn(fetch: OpenFetch): void {
    fetch.sends = 0;
    this.sendAgain([fetch]);
  }

  /** One of two ways goes on by itself: it has brought what comes next, or nothing can come by the other one. @param running null for a direct one that is not taken yet */
  private goAlone(id: number, fetch: OpenFetch, running: RunningTransfer | null): void {
    const { transfer: direct, silent } = fetch;
    if (silent === null) return;
    fetch.silent = null;
    if (running !== silent) {
      this.stop(silent, OVERTAKEN);
      return;
    }
    fetch.transfer = silent;
    this.stop(direct, OVERTAKEN);
    // it may have been ranked meanwhile
    this.rankSent(fetch);
    this.perform(this.options.scheduler.finished(id, performance.now()));
  }

  /** The relay has spoken again: of a direct way that has brought nothing new nothing more is wanted. */
  private callOff(id: number, fetch: OpenFetch): boolean {
    if (fetch.silent?.connection.isSilent !== false) return false;
    this.goAlone(id, fetch, fetch.silent);
    return true;
  }

  /** Nothing comes by one way: the other one goes on. @param running null for one that could not be taken @returns whether there is another one */
  private goByOther(id: number, fetch: OpenFetch, running: RunningTransfer | null): boolean {
    const { transfer: direct, silent } = fetch;
    if (silent === null) return false;
    this.goAlone(id, fetch, running === silent ? direct : silent);
    return true;
  }

  /** Nothing more counts that comes by it. */
  private stop(running: RunningTransfer | null, reason: string): void {
    if (running === null) return;
    this.endTransfer(running);
    running.way?.leave();
    running.transfer?.stop(new Error(reason));
  }

  private succeed(id: number, fetch: OpenFetch, trailers: RawHeaders, sample: TransferSample | null): void {
    this.fetches.delete(id);
    this.endTransfer(fetch.transfer);
    this.rankSoon(fetch);
    this.recorder?.ended(id, 'whole', fetch.object.fetchClass);
    if (sample !== null) this.options.measured(sample);
    fetch.sink.ended(trailers);
    this.perform(this.options.scheduler.finished(id, performance.now()));
  }

  private sendAgain(fetches: readonly OpenFetch[]): void {
    for (const fetch of fetches) {
      this.endTransfer(fetch.transfer);
      fetch.transfer?.way?.leave();
      fetch.transfer = null;
    }
    const { scheduler } = this.options;
    const objects = fetches.map(({ object }) => object);
    this.perform([...objects.flatMap(({ id }) => scheduler.finished(id, performance.now())), ...scheduler.put(objects, performance.now())]);
  }

  /** The relay beneath a connection is silent: others are made directly. @returns whether there is something that may be asked for on them */
  private raceDirectly({ origin, keepsOrder, id }: UpstreamConnection): boolean {
    const { length } = this.sentOn(id).filter((fetch) => isRepeatable(fetch) || fetch.begun !== null);
    if (length === 0) return false;
    // by the relay all is on one, and a server in clear takes one request at a time
    const count = stockConnections({ objects: length, isMultiplexed: !keepsOrder || !origin.startsWith('http:') });
    for (let opened = 0; opened < count; opened += 1) this.perform(this.options.scheduler.openBeside(origin));
    return true;
  }

  /**
   * A direct connection that was begun in the silence of the relay is there before a byte of it, and nothing more is sent by the relay on the connections that there are. What nothing has
   * come of, and may be asked for again, moves; what has begun goes on by whichever way is first.
   */
  private leaveRelay(): void {
    const silent = this.silentConnections;
    // first all of them, those without a request too: none may get what another one had
    for (const { origin, id } of silent) this.disconnected(origin, id);
    this.noteClosed();
    for (const connection of silent) connection.overtaken();
    const waiting = silent.flatMap(({ id }) => this.sentOn(id));
    const [untouched, raced] = [waiting.filter(isRepeatable), waiting.filter((fetch) => !isRepeatable(fetch) && fetch.begun?.race() === true)];
    const moved = untouched.map(({ transfer: running }) => running);
    for (const fetch of raced) [fetch.silent, fetch.transfer, fetch.sends] = [fetch.transfer, null, 0];
    this.sendAgain([...untouched, ...raced]);
    for (const running of moved) this.stop(running, ASKED_DIRECTLY);
    for (const fetch of waiting) {
      const { begun, transfer: running } = fetch;
      if (begun?.isComplete !== true) continue;
      this.succeed(fetch.object.id, fetch, [], null);
      this.stop(running, OVERTAKEN);
    }
    for (const connection of silent) connection.close();
  }

  private sentOn(connection: number): readonly OpenFetch[] {
    return [...this.fetches.values()].filter(({ transfer: running }) => running?.connection.id === connection);
  }

  /** Through the relay a connection is as urgent as the most urgent of its requests; one without any stays as it was. */
  private rankSoon({ transfer: running }: OpenFetch): void {
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

  /** What has left is stopped, or let go on, and its server told. */
  private rankSent(fetch: OpenFetch): void {
    const { object, request, priority: own, transfer: running } = fetch;
    this.rankSoon(fetch);
    if (running?.ranked) {
      const level = levelOf(object);
      if (level !== running.ranked.level) running.ranked.stream.rank(level);
      running.ranked.level = level;
    }
    if (!running?.sent) return;
    const { stream, credit } = running.sent;
    credit.rank(object, performance.now());
    this.credited();
    if (running.priority === null) return;
    const priority = priorityOf(request.headers, object, own);
    if (priority === running.priority) return;
    running.priority = priority;
    stream.prioritize(priority);
  }

  /** It is under way no more. */
  private endTransfer(running: RunningTransfer | null): void {
    this.endCredit(running);
    running?.repair?.close();
  }

  private endCredit(running: RunningTransfer | null): void {
    if (!running?.sent) return;
    const { credit } = running.sent;
    running.sent = null;
    credit.end(performance.now());
    this.credited();
  }

  private credited(): void {
    clearTimeout(this.creditTimer);
    const { nextTimerMs } = this.options.credits;
    if (nextTimerMs === null || this.isClosed) return;
    this.creditTimer = setTimeout(() => {
      this.options.credits.advance(performance.now());
      this.credited();
    }, Math.max(0, nextTimerMs - performance.now()));
  }

  /** Nothing more is sent on it; what is on the way ends. */
  private retire(connection: UpstreamConnection): void {
    this.disconnected(connection.origin, connection.id);
    connection.close();
  }

  /** An aborted or failed request has taken its HTTP/1.1 connection along, and the relay all of its: nothing more may be sent on them. */
  private noteClosed(): void {
    for (const { origin, id, isOpen } of [...this.connections.values()]) if (!isOpen) this.disconnected(origin, id);
  }

  private end(id: number, error: FirstscreenError, wasSent: boolean): void {
    this.fail(id, error, wasSent);
    this.perform(this.options.scheduler.finished(id, performance.now()));
  }

  private fail(id: number, error: FirstscreenError, wasSent: boolean): void {
    const fetch = this.fetches.get(id);
    if (fetch === undefined) return;
    this.fetches.delete(id);
    for (const running of [fetch.transfer, fetch.silent]) this.endTransfer(running);
    this.rankSoon(fetch);
    this.recorder?.ended(id, 'failed', fetch.object.fetchClass);
    fetch.sink.failed(error, wasSent);
  }
}

/** What was asked for once may be asked for again elsewhere. */
function isRepeatable({ transfer: running }: OpenFetch): boolean {
  return running?.transfer?.mayRepeat === true;
}

function changed(): FirstscreenError {
  return new FirstscreenError('E_UPSTREAM', 'An answer was lost in its middle, and the server does not give its rest.', 'Load the page again.');
}
