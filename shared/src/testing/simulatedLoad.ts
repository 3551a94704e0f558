import { LinkEstimator, bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { FetchClass, type FetchObject } from '../fetching/fetchObject.ts';
import { FetchScheduler, type FetchCommand, type FetchScheme } from '../fetching/fetchScheduler.ts';
import { fetchScheme } from '../fetching/schemes.ts';
import { StreamCredits, type StreamCredit } from '../fetching/streamCredits.ts';
import { MIN_BDP_BYTES } from '../scheduling/admission.ts';
import type { LoadTrace, TracedObject } from './loadTrace.ts';
import { SimulatedClock } from './simulatedClock.ts';
import { SimulatedConnection } from './simulatedConnection.ts';
import { SimulatedLink, type Interval, type SimulatedProfile } from './simulatedLink.ts';

export interface Bytes {
  readonly atMs: number;
  readonly bytes: number;
}

/** What became of an object; moments are Infinity while they have not come. */
export interface SimulatedTransfer {
  readonly traced: TracedObject;
  object: FetchObject;
  /** So often it was asked for. */
  sends: number;
  askedMs: number;
  begunMs: number;
  endedMs: number;
  /** Credit, and what came of it. */
  readonly given: Bytes[];
  readonly pieces: Bytes[];
}

export interface SimulatedLoad {
  readonly profile: SimulatedProfile;
  readonly transfers: readonly SimulatedTransfer[];
  /** When the link brought something. */
  readonly busy: readonly Interval[];
  /** The making of the first connection to each server. */
  readonly handshakes: ReadonlyMap<string, Interval>;
  /** The largest bandwidth-delay product that was reckoned with. */
  readonly mostBdpBytes: number;
}

export interface SimulationOptions {
  /** Whether servers speak HTTP/2. */
  readonly isMultiplexed: boolean;
  /** Another than the product's. */
  readonly schemeOf?: (link: () => LinkEstimate) => FetchScheme;
}

/** Requests on one connection over HTTP/2. */
const STREAMS = 100;
/** Round trips of TCP, and of TLS 1.3 on top. */
const HANDSHAKE_RTTS = { http: 1, https: 2 };
/** A load that has not ended then never will. */
const LIMIT_MS = 300_000;

const ALL = { prioritizing: true, reordering: true, connectionManagement: true };

/**
 * A page load over a simulated link, by the scheduler, the credits and the estimate of the link as the helper puts them
 * together (helper/src/upstream/upstream.ts). Deterministic.
 */
export function simulateLoad(trace: LoadTrace, profile: SimulatedProfile, options: SimulationOptions): SimulatedLoad {
  return new Load(trace, profile, options).run();
}

class Load {
  private readonly clock = new SimulatedClock();
  private readonly link: SimulatedLink;
  private readonly estimator = new LinkEstimator();
  private readonly scheduler: FetchScheduler;
  private readonly credits: StreamCredits;
  private readonly isMultiplexed: boolean;
  private readonly prepared: LoadTrace['prepared'];
  private readonly transfers: SimulatedTransfer[];
  private readonly open = new Map<number, StreamCredit>();
  private readonly connections = new Map<number, SimulatedConnection>();
  private readonly handshakes = new Map<string, Interval>();
  private nextConnection = 0;
  private mostBdpBytes = MIN_BDP_BYTES;

  constructor(trace: LoadTrace, profile: SimulatedProfile, { isMultiplexed, schemeOf = (link) => fetchScheme(ALL, link) }: SimulationOptions) {
    const estimate = (): LinkEstimate => {
      const link = this.estimator.estimate();
      this.mostBdpBytes = Math.max(this.mostBdpBytes, bdpBytes(link));
      return link;
    };
    this.link = new SimulatedLink(this.clock, profile);
    this.isMultiplexed = isMultiplexed;
    this.scheduler = new FetchScheduler(schemeOf(estimate));
    this.credits = new StreamCredits(estimate);
    this.prepared = trace.prepared;
    this.transfers = trace.objects.map((traced, id) => ({
      traced,
      object: { id, origin: traced.origin, index: id, bytes: traced.expectedBytes, fetchClass: traced.steps[0]?.fetchClass ?? 0, isAwaited: false, isImage: (traced.steps[0]?.fetchClass ?? FetchClass.layout) !== FetchClass.layout },
      sends: 0, askedMs: Infinity, begunMs: Infinity, endedMs: Infinity, given: [], pieces: [],
    }));
  }

  run(): SimulatedLoad {
    for (const { origin, atMs } of this.prepared) this.clock.at(atMs, () => this.perform(this.scheduler.prepare(origin, 1, atMs)));
    const steps = this.transfers.flatMap((transfer) => transfer.traced.steps.map((step) => ({ transfer, step })));
    // what is told in one moment is one event, as with the helper's
    for (const [atMs, together] of Map.groupBy(steps, ({ step }) => step.atMs)) {
      this.clock.at(atMs, () => {
        for (const { transfer, step: { fetchClass, isAwaited } } of together) this.rank(transfer, { fetchClass, isAwaited });
        const objects = together.filter(({ transfer }) => transfer.endedMs === Infinity).map(({ transfer }) => transfer.object);
        this.perform(this.scheduler.put(objects, this.clock.nowMs));
      });
    }
    this.clock.run(LIMIT_MS);
    return { profile: this.link.profile, transfers: this.transfers, busy: this.link.busy, handshakes: this.handshakes, mostBdpBytes: this.mostBdpBytes };
  }

  private rank(transfer: SimulatedTransfer, changes: Partial<FetchObject>): void {
    transfer.object = { ...transfer.object, ...changes };
    this.open.get(transfer.object.id)?.rank(transfer.object, this.clock.nowMs);
    this.planCredit();
  }

  private perform(commands: readonly FetchCommand[]): void {
    for (const command of commands) {
      if (command.type === 'open') this.connect(command.origin);
      else if (command.type === 'close') this.connections.delete(command.connection);
      else this.send(command);
    }
    const timerMs = this.scheduler.nextTimerMs;
    if (timerMs === null) return;
    this.clock.at(Math.max(timerMs, this.clock.nowMs), () => {
      if (this.scheduler.nextTimerMs === timerMs) this.perform(this.scheduler.advance(this.clock.nowMs));
    });
  }

  private planCredit(): void {
    const timerMs = this.credits.nextTimerMs;
    if (timerMs === null) return;
    this.clock.at(Math.max(timerMs, this.clock.nowMs), () => {
      if (this.credits.nextTimerMs !== timerMs) return;
      this.credits.advance(this.clock.nowMs);
      this.planCredit();
    });
  }

  private connect(origin: string): void {
    const { rttMs } = this.link.profile;
    const durationMs = rttMs * (origin.startsWith('https:') ? HANDSHAKE_RTTS.https : HANDSHAKE_RTTS.http);
    const { nowMs } = this.clock;
    if (!this.handshakes.has(origin)) this.handshakes.set(origin, { fromMs: nowMs, toMs: nowMs + durationMs });
    this.clock.after(durationMs, () => {
      this.estimator.roundTrip(rttMs, this.clock.nowMs);
      const id = this.nextConnection++;
      this.connections.set(id, new SimulatedConnection(this.clock, this.link, this.isMultiplexed));
      this.perform(this.scheduler.connected(origin, id, this.isMultiplexed ? STREAMS : 1, this.clock.nowMs));
    });
  }

  private send({ connection: connectionId, object: { id } }: Extract<FetchCommand, { type: 'send' }>): void {
    const transfer = this.transfers[id];
    const connection = this.connections.get(connectionId);
    if (transfer === undefined || connection === undefined) throw new Error('sent on no connection');
    const { traced: { bytes, thinkMs = 0, hidesLength = false } } = transfer;
    const startMs = this.clock.nowMs;
    transfer.sends += 1;
    transfer.askedMs = startMs;
    let readBytes = 0;
    const give = connection.ask({
      bytes,
      thinkMs,
      begun: () => {
        const { nowMs } = this.clock;
        transfer.begunMs = nowMs;
        this.open.get(id)?.answered(hidesLength ? null : bytes, nowMs);
        this.planCredit();
        if (hidesLength) return;
        this.rank(transfer, { bytes });
        this.perform(this.scheduler.progress(id, bytes, nowMs));
      },
      came: (piece) => {
        const { nowMs } = this.clock;
        readBytes += piece;
        transfer.pieces.push({ atMs: nowMs, bytes: piece });
        this.estimator.received(piece, nowMs);
        this.open.get(id)?.received(piece, nowMs);
        this.planCredit();
        this.perform(this.scheduler.progress(id, hidesLength ? 0 : bytes - readBytes, nowMs));
      },
      ended: () => {
        const { nowMs } = this.clock;
        transfer.endedMs = nowMs;
        this.open.get(id)?.end(nowMs);
        this.open.delete(id);
        this.planCredit();
        this.estimator.add({ startMs, setup: 'none', headersMs: transfer.begunMs, endMs: nowMs, bytes });
        this.perform(this.scheduler.finished(id, nowMs));
      },
    });
    const given = (more: number): void => {
      transfer.given.push({ atMs: this.clock.nowMs, bytes: more });
      give(more);
    };
    this.open.set(id, this.credits.open(transfer.object, given, startMs, connection.unreadBytes));
    this.planCredit();
  }
}
