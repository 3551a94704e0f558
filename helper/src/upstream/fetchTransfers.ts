import { FirstscreenError, coded } from '../../../shared/src/errors.ts';
import type { TransferSample } from '../../../shared/src/estimation/link.ts';
import { levelOf } from '../../../shared/src/fetching/fetchObject.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { Recording } from '../../../shared/src/requests/recording.ts';
import { strongValidatorOf } from '../http/partialContent.ts';
import type { AnswerRepair, AnswerRepairs } from './answerRepair.ts';
import { BegunAnswer, mayGoOn, type AnswerWay } from './begunAnswer.ts';
import type { UpstreamConnection } from './connection.ts';
import { NOT_OPENED, type OpenConnections } from './openConnections.ts';
import type { UpstreamRequest } from './fetch.ts';
import { isRepeatable, type OpenFetch, type OpenFetches } from './openFetches.ts';
import { RelayRace } from './relayRace.ts';
import { RunningTransfer } from './runningTransfer.ts';
import type { TimedCredits } from './timedCredits.ts';
import type { TimedScheduler } from './timedScheduler.ts';
import { transfer } from './transfer.ts';
import { priorityOf, withPriority } from './urgency.ts';

const WANTED_NO_MORE = 'the browser wants it no more';
const ASKED_AGAIN = 'all of the answer is asked for again';
const CHANGED = 'what the server answers is another answer now';
const SILENT = 'the server is silent';
const REST_ASKED_AGAIN = 'the rest of the answer is asked for again';

/** Hears of an answer that has come by a tunnel of the relay. @returns whether its host goes directly from now on */
export type TunnelAnswered = (request: Pick<UpstreamRequest, 'origin' | 'headers'>, status: number, fields: RawHeaders) => boolean;

/** What transfers are made with. */
export interface TransferContext {
  readonly fetches: OpenFetches;
  readonly connections: OpenConnections;
  readonly scheduler: TimedScheduler;
  readonly credits: TimedCredits;
  readonly repairs: AnswerRepairs | null;
  readonly tellsUrgency: boolean;
  readonly recording: Pick<Recording, 'recorder'>;
  readonly isRelayed: (origin: string) => boolean;
  readonly tunnelAnswered: TunnelAnswered;
  readonly measured: (sample: TransferSample) => void;
  /** So much has come of a body, just now. */
  readonly received: (bytes: number) => void;
}

/** Brings the answer of each request: sends it on a connection, again where that is lost before an answer, and for the rest of an answer that was lost in its middle. */
export class FetchTransfers {
  readonly race: RelayRace;
  private readonly context: TransferContext;

  constructor(context: TransferContext) {
    this.context = context;
    this.race = new RelayRace(context.fetches, context.connections, context.scheduler, {
      sendAgain: (fetches) => this.sendAgain(fetches),
      isWhole: (fetch) => this.succeed(fetch, [], null),
      isRelayed: context.isRelayed,
    });
  }

  send(fetch: OpenFetch, connection: UpstreamConnection): void {
    if (!this.race.callOff(fetch)) this.transfer(fetch, connection);
  }

  /** One request waits for the other there (undici keeps them), as on the browser's own connection. */
  async sendPinned(fetch: OpenFetch, opening: Promise<UpstreamConnection>): Promise<void> {
    try {
      const connection = await opening;
      if (this.isOpen(fetch)) this.transfer(fetch, connection);
    } catch (error) {
      this.end(fetch, coded(error, NOT_OPENED), false);
    }
  }

  /** There is no connection for it. */
  unreachable(fetch: OpenFetch, failure: FirstscreenError): void {
    if (!this.race.goByOther(fetch, null)) this.fail(fetch, failure, false);
  }

  /** Nobody wants it any more. */
  cancel(fetch: OpenFetch): void {
    const { fetches, connections, scheduler, recording } = this.context;
    if (!fetches.delete(fetch)) return;
    fetches.rankConnection(fetch);
    recording.recorder?.ended(fetch.id, 'cancelled', fetch.object.fetchClass);
    for (const running of [fetch.transfer, fetch.silent]) running?.stop(WANTED_NO_MORE);
    if (fetch.transfer !== null) connections.forgetClosed();
    scheduler.finished(fetch.id);
  }

  /** Its taker is told; the scheduler is not. */
  fail(fetch: OpenFetch, error: FirstscreenError, wasSent: boolean): void {
    const { fetches, recording } = this.context;
    if (!fetches.delete(fetch)) return;
    for (const running of [fetch.transfer, fetch.silent]) running?.end();
    fetches.rankConnection(fetch);
    recording.recorder?.ended(fetch.id, 'failed', fetch.object.fetchClass);
    fetch.sink.failed(error, wasSent);
  }

  /**
   * A connection's server says nothing: what nothing has come of is asked for on another one, where it may be made twice. What has begun to come goes on if it was the link that was away, or ends when TCP gives the
   * connection up, as a browser's own.
   */
  leaveSilent(connection: UpstreamConnection): void {
    const { connections, fetches } = this.context;
    const unanswered = fetches.sentOn(connection).filter(({ transfer: running }) => running?.transfer?.hasBegun !== true);
    const repeatable = unanswered.filter(isRepeatable);
    const left = unanswered.map(({ transfer: running }) => running?.transfer);
    if (connections.get(connection.id) !== null) connections.retire(connection);
    this.sendAgain(repeatable);
    for (const transferred of left) transferred?.stop(new Error(SILENT));
  }

  private isOpen({ id }: OpenFetch): boolean {
    return this.context.fetches.get(id) !== null;
  }

  private transfer(fetch: OpenFetch, connection: UpstreamConnection): void {
    const { fetches, connections, scheduler, recording, tellsUrgency, credits, received, tunnelAnswered } = this.context;
    const { id, sink, request } = fetch;
    const isByRelay = connection.keepsOrder || connection.isRanked;
    if (isByRelay && !fetch.isPinned && mayGoOn(request)) fetch.begun ??= new BegunAnswer(sink);
    const fields = fetch.begun?.fieldsOf(request.headers) ?? request.headers;
    const priority = tellsUrgency && connection.isH2 && !connection.keepsOrder ? priorityOf(request.headers, fetch.object, fetch.priority) : null;
    const headers = priority === null ? fields : withPriority(fields, priority);
    const level = levelOf(fetch.object);
    const running = new RunningTransfer(connection, credits, { level, priority });
    if (fetch.begun !== null) running.way = this.wayOf(fetch, running, fetch.begun);
    // what goes on after a loss is not repaired: it may be lost as often as any
    else if (!isByRelay && !fetch.isPinned) running.repair = this.repairOf(fetch, running);
    const mayRepeat = fetch.sends === 0 && !fetch.isPinned;
    fetch.sends += 1;
    fetch.transfer = running;
    fetches.rankConnection(fetch);
    recording.recorder?.sent(id, connection.id, fetch.object.fetchClass);
    running.transfer = transfer(request, running.way ?? running.repair ?? sink, connection, {
      headers,
      mayRepeat,
      isWanted: () => this.isOpen(fetch) && (fetch.transfer === running || fetch.silent === running),
      // what is made again must not take another one that has gone with the relay
      lost: () => connections.forgetClosed(),
      // on a connection of its own everything waits for the first
      isCredited: !fetch.isPinned,
      told: { level, pushes: request.pushes ?? null },
      left: (stream) => {
        if (!('rank' in stream)) recording.recorder?.limited(id, stream.unreadBytes > 0);
        running.left(stream, fetch.object, (bytes) => recording.recorder?.given(id, bytes));
      },
      answered: (length, status, answerFields) => {
        if (connection.isRanked && tunnelAnswered(request, status, answerFields)) this.leaveTunnels(connection.origin);
        running.answered(length);
        recording.recorder?.answered(id, length);
        if (length === null) return;
        fetch.object = { ...fetch.object, bytes: length };
        fetches.rank(fetch);
        scheduler.progress(id, length);
      },
      received: (bytes, bytesToCome) => {
        received(bytes);
        running.received(bytes);
        recording.recorder?.received(id, bytes);
        scheduler.progress(id, bytesToCome ?? 0);
      },
      held: (isHeld) => running.hold(isHeld),
      ended: (trailers, sample) => {
        if (running.repair !== null) {
          running.repair.ended(() => this.succeed(fetch, trailers, sample));
          return;
        }
        if (running.way?.isWhole === false) {
          if (!this.race.goByOther(fetch, running)) this.end(fetch, changed(), true);
          return;
        }
        this.race.goAlone(fetch, running);
        this.succeed(fetch, trailers, sample);
      },
      unusable: () => connections.retire(connection),
      repeat: () => {
        // by the direct way it is made again as any
        if (fetch.silent !== running) this.sendAgain([fetch]);
        else this.race.goAlone(fetch, fetch.transfer);
      },
      failed: (error, wasSent) => {
        if (this.race.goByOther(fetch, running)) return;
        if (connection.isLostWithRelay && fetch.begun?.isComplete === true) this.succeed(fetch, [], null);
        else if (connection.isLostWithRelay && fetch.begun?.lost() === true) this.goOn(fetch);
        else this.end(fetch, error, wasSent);
      },
    });
  }

  /** Nothing more is asked of a server on its connections through the relay. */
  private leaveTunnels(origin: string): void {
    const { connections } = this.context;
    for (const connection of connections.values()) if (connection.isRanked && connection.origin === origin) connections.retire(connection);
  }

  private wayOf(fetch: OpenFetch, running: RunningTransfer, begun: BegunAnswer): AnswerWay {
    return begun.way({
      ahead: () => this.race.goAlone(fetch, running),
      repeats: () => void this.race.callOff(fetch),
      again: () => {
        this.goOn(fetch);
        running.transfer?.stop(new Error(ASKED_AGAIN));
      },
      broken: () => {
        if (!this.race.goByOther(fetch, running)) this.end(fetch, changed(), true);
        running.transfer?.stop(new Error(CHANGED));
      },
    });
  }

  private repairOf(fetch: OpenFetch, running: RunningTransfer): AnswerRepair | null {
    const { repairs, connections } = this.context;
    return repairs && repairs.repair(fetch.request, running.connection.flow, fetch.sink, {
      begin: () => {
        fetch.begun = new BegunAnswer(fetch.sink, strongValidatorOf);
        return (running.way = this.wayOf(fetch, running, fetch.begun));
      },
      lost: () => {
        fetch.transfer = null;
        running.stop(REST_ASKED_AGAIN);
        connections.forgetClosed();
        if (fetch.begun?.lost() === true) this.goOn(fetch);
        else this.end(fetch, changed(), true);
      },
    });
  }

  /** The rest of an answer is asked for, by whatever way there is now; that may be lost once before anything comes, as any. */
  private goOn(fetch: OpenFetch): void {
    fetch.sends = 0;
    this.sendAgain([fetch]);
  }

  private sendAgain(fetches: readonly OpenFetch[]): void {
    for (const fetch of fetches) {
      fetch.transfer?.end();
      fetch.transfer?.way?.leave();
      fetch.transfer = null;
    }
    this.context.scheduler.putAgain(fetches.map(({ object }) => object));
  }

  private succeed(fetch: OpenFetch, trailers: RawHeaders, sample: TransferSample | null): void {
    const { fetches, scheduler, recording, measured } = this.context;
    fetches.delete(fetch);
    fetch.transfer?.end();
    fetches.rankConnection(fetch);
    recording.recorder?.ended(fetch.id, 'whole', fetch.object.fetchClass);
    if (sample !== null) measured(sample);
    fetch.sink.ended(trailers);
    scheduler.finished(fetch.id);
  }

  private end(fetch: OpenFetch, error: FirstscreenError, wasSent: boolean): void {
    this.fail(fetch, error, wasSent);
    this.context.scheduler.finished(fetch.id);
  }
}

function changed(): FirstscreenError {
  return new FirstscreenError('E_UPSTREAM', 'An answer was lost in its middle, and the server does not give its rest.', 'Load the page again.');
}
