import type { FirstScreenTiming } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import type { Random } from '../../../../shared/src/statistics/random.ts';
import type { EndReason, Measurement, MeasuringOptions, Side } from '../../messages/measuring.ts';
import { advance, begin, sideOf, type MeasuringCommand, type MeasuringEvent, type Step } from './measurement.ts';
import { planLoads } from './plan.ts';
import { NOTHING_CARRIED, TabTraffic } from './tabTraffic.ts';

const TICK_MS = 250;

type MeasuredTiming = Extract<FirstScreenTiming, { outcome: 'measured' }>;

/** What is asked of all else while something is measured. */
export interface Influence {
  /** `without`: Firstscreen is out of the way. */
  readonly side: Side;
  /** Whether what is remembered of pages may be used. */
  readonly usesMemory: boolean;
}

export interface MeasuringHost {
  readonly random: Random;
  now(): number;
  /** Brings into force what `influence` says. @returns whether it is */
  apply(): Promise<boolean>;
  /** Opens a tab that the user sees. @returns its id */
  open(url: string): Promise<number>;
  /** Closes connections. @returns whether the load of this page that follows begins without any */
  coldStart(url: string): Promise<boolean>;
  /** Loads the page of a tab anew, past the cache. */
  reload(tabId: number): Promise<void>;
  close(tabId: number): Promise<void>;
  isSeen(tabId: number): Promise<boolean>;
  /** For a later background script of this session. */
  keep(measurement: Measurement): void;
  changed(measurement: Measurement): void;
}

/** Makes measurements, one at a time: does what `advance` says, and tells it what happens. */
export class Measuring {
  measurement: Measurement | null = null;
  private readonly host: MeasuringHost;
  private readonly traffic: TabTraffic;
  private timer: ReturnType<typeof setInterval> | undefined;
  /** Counts what was to be brought into force: only of the last the answer counts. */
  private applied = 0;

  constructor(host: MeasuringHost) {
    this.host = host;
    this.traffic = new TabTraffic({ posted: () => this.end('posted'), failed: () => this.happens({ type: 'failed', reason: 'failed' }), networkChanged: () => this.end('networkChanged') });
  }

  get isRunning(): boolean {
    return this.measurement !== null && this.measurement.phase.name !== 'ended';
  }

  /** Null while the user's own settings are in force. */
  get influence(): Influence | null {
    const side = this.measurement === null ? null : sideOf(this.measurement);
    return side === null ? null : { side, usesMemory: this.measurement?.options.visit === 'second' };
  }

  start(url: string, options: MeasuringOptions, asks: boolean): void {
    if (this.isRunning) return;
    this.run();
    this.take(begin(url, planLoads(options.pairs, this.host.random), options, asks, this.host.now()));
  }

  /** An earlier background script was in the middle of this one. */
  restore(kept: Measurement): void {
    if (this.measurement !== null) return;
    this.measurement = kept;
    if (!this.isRunning) return;
    this.run();
    this.traffic.tabId = kept.tabId;
    this.happens({ type: 'restarted' });
  }

  /** The user lets it go on, whatever it costs. */
  allow(): void {
    this.happens({ type: 'allowed' });
  }

  end(why: EndReason): void {
    this.happens({ type: 'ends', why });
  }

  isOwn(tabId: number): boolean {
    return this.isRunning && this.measurement?.tabId === tabId;
  }

  /** The number of the load that a document of this tab is of; null when none is to be timed. */
  askedOf(tabId: number): number | null {
    return this.isOwn(tabId) && this.measurement?.phase.name === 'loading' ? this.measurement.load : null;
  }

  /** A document says how long its first screen took. */
  measured(tabId: number, url: string, load: number, timing: FirstScreenTiming): void {
    const { bytes, hadOthers } = this.traffic;
    const whole = timing.outcome === 'measured' ? this.withUntimed(timing) : timing;
    const carried = whole.outcome === 'measured' ? this.traffic.carriedUntil(whole.isrtMs, whole.needed) : NOTHING_CARRIED;
    if (this.isOwn(tabId)) this.happens({ type: 'measured', load, url, timing: whole, bytes, carried, hadOtherTraffic: hadOthers });
  }

  /** With what the first screen needed and its page could not time. */
  private withUntimed(timing: MeasuredTiming): MeasuredTiming {
    const untimed = new Set(timing.needed.flatMap(({ url, isTimed }) => (isTimed ? [] : url)));
    return { ...timing, isrtMs: Math.max(timing.isrtMs, this.traffic.lastMs(untimed)) };
  }

  tabRemoved(tabId: number): void {
    if (this.isOwn(tabId)) this.end('tabClosed');
  }

  private run(): void {
    this.traffic.watch(this.host.now());
    clearInterval(this.timer);
    this.timer = setInterval(() => void this.tick(), TICK_MS);
  }

  private async tick(): Promise<void> {
    const tabId = this.measurement?.tabId ?? null;
    const isSeen = tabId === null || (await this.host.isSeen(tabId));
    this.happens({ type: 'ticked', isSeen });
    if (this.traffic.isAtRest(this.host.now())) this.happens({ type: 'rested' });
  }

  private happens(event: MeasuringEvent): void {
    if (this.measurement !== null && this.isRunning) this.take(advance(this.measurement, event, this.host.now()));
  }

  private take({ state, commands }: Step): void {
    const before = this.measurement;
    this.measurement = state;
    if (!this.isRunning) {
      clearInterval(this.timer);
      this.traffic.stop();
    }
    // before anything is done: what comes after a stop knows what was begun
    if (before === null || isNews(before, state)) {
      this.host.keep(state);
      this.host.changed(state);
    }
    for (const command of commands) this.obey(command);
  }

  private obey(command: MeasuringCommand): void {
    switch (command.type) {
      case 'apply':
        void this.apply();
        break;
      case 'open':
        this.host.open(command.url).then((tabId) => this.opened(tabId), () => this.end('notBegun'));
        break;
      case 'load':
        void this.load(command);
        break;
      case 'close':
        // the user may have closed it
        this.host.close(command.tabId).catch(() => undefined);
    }
  }

  private async load({ tabId, isCold }: Extract<MeasuringCommand, { type: 'load' }>): Promise<void> {
    const { url, load } = this.measurement ?? { url: '', load: 0 };
    const isReady = !isCold || (await this.host.coldStart(url).catch(() => false));
    // it was ended meanwhile
    if (this.askedOf(tabId) !== load) return;
    if (!isReady) {
      this.happens({ type: 'failed', reason: 'warm' });
      return;
    }
    this.traffic.loadBegins();
    this.host.reload(tabId).catch(() => this.end('tabClosed'));
  }

  private async apply(): Promise<void> {
    const mine = ++this.applied;
    const isInForce = await this.host.apply().catch(() => false);
    if (mine === this.applied) this.happens({ type: 'applied', isInForce });
  }

  private opened(tabId: number): void {
    this.traffic.tabId = tabId;
    // it was ended meanwhile
    if (!this.isRunning) this.host.close(tabId).catch(() => undefined);
    this.happens({ type: 'opened', tabId });
  }
}

/** Not: that it has waited on. */
function isNews(before: Measurement, { phase, load, isSeen, counted, dropped }: Measurement): boolean {
  return before.phase.name !== phase.name || before.load !== load || before.isSeen !== isSeen || before.counted.length !== counted.length || before.dropped.length !== dropped.length;
}
