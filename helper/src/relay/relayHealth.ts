/** What is to be done with the connection to the relay. */
export type HealthCommand = 'connect' | 'ping' | 'race' | 'give up';

/** The relay is asked whether it is there when it has said nothing for so long. */
const IDLE_BEAT_MS = 10_000;
/** Sooner while it is used, as more is waited for: in two round trips, in these bounds. */
const QUICK_RTTS = 2;
const [MIN_QUICK_MS, MAX_QUICK_MS] = [50, 300];
/** Who waits for longer waits for a server, not for the relay. */
const IN_USE_MS = 5_000;
/** A beat is missed when nothing has come for so many round trips after it was asked for, as few as tell: more would only add to a page's wait. */
const MISSED_RTTS = 1.5;
const MIN_MISSED_MS = 100;
/** Of the last round trip in the mean of all (RFC 6298, section 2). */
const RTT_WEIGHT = 1 / 8;
/** A relay that says nothing for so long is gone, as a server (silenceWatch.ts). */
const SILENT_LIMIT_MS = 15_000;
/** Sooner where the direct way has worked meanwhile: the link is there. A packet that was lost last of all comes again in less (RFC 6298, section 2.4). */
const OVERTAKEN_MS = 1_500;
const OVERTAKEN_RTTS = 4;
/** Of name, handshakes, and the relay's first word. */
const CONNECT_LIMIT_MS = 10_000;
/** Twice as long after each attempt in vain. */
const [FIRST_RETRY_MS, MAX_RETRY_MS] = [250, 60_000];
/** A relay that ends sooner counts as an attempt in vain. */
const STEADY_MS = 10_000;

/**
 * Whether the relay is there, by its beats. No I/O and no clock: events go in, and `advance` says what is to be done; any byte of the relay is a beat.
 *
 *     waiting ─connect─► connecting ─hello─► up ◄─────byte────── doubtful
 *        ▲                   │               └──beat is missed──►   │
 *        └──────lost─────────┴───────lost, given up─────────────────┘
 */
export class RelayHealth {
  private state: 'waiting' | 'connecting' | 'up' | 'doubtful' = 'waiting';
  /** Of the state; nothing is waited for to begin with. */
  private sinceMs = -Infinity;
  /** Since when it is up, also through doubts. */
  private upMs = 0;
  private attemptsInVain = 0;
  private heardMs = 0;
  /** Of a beat that was asked for and is not answered. */
  private askedMs: number | null = null;
  private usedMs = -Infinity;
  private smoothedMs = 0;
  private hasRaced = false;
  private isOvertaken = false;

  /** Whether what is opened now may go through the relay. */
  get isUp(): boolean {
    return this.state === 'up';
  }

  /** The relay has taken us. @param rttMs of the handshake */
  connected(rttMs: number, nowMs: number): void {
    if (this.state !== 'connecting') return;
    this.to('up', nowMs);
    [this.upMs, this.heardMs, this.askedMs, this.smoothedMs] = [nowMs, nowMs, null, rttMs];
  }

  /** Something has come. */
  heard(nowMs: number): void {
    this.heardMs = nowMs;
    if (this.state === 'doubtful') this.to('up', nowMs);
  }

  /** A beat was answered. */
  answered(rttMs: number, nowMs: number): void {
    this.askedMs = null;
    this.smoothedMs += (rttMs - this.smoothedMs) * RTT_WEIGHT;
    this.heard(nowMs);
  }

  /** A tunnel was opened, or bytes went or came on one: more is likely to be waited for. */
  used(nowMs: number): void {
    this.usedMs = nowMs;
  }

  /** The direct way has worked while nothing came from the relay. */
  overtaken(): void {
    if (this.state === 'doubtful') this.isOvertaken = true;
  }

  /** There is no connection any more. */
  lost(nowMs: number): void {
    if (this.state === 'waiting') return;
    const wasSteady = this.state !== 'connecting' && nowMs - this.upMs >= STEADY_MS;
    this.attemptsInVain = wasSteady ? 0 : this.attemptsInVain + 1;
    this.to('waiting', nowMs);
  }

  /** The machine is in another network: what there was is nothing any more, and nothing is to be waited for. */
  moved(): void {
    this.attemptsInVain = 0;
    this.to('waiting', -Infinity);
  }

  /** When `advance` has something to say at the latest. */
  get nextTimerMs(): number {
    switch (this.state) {
      case 'waiting':
        return this.sinceMs + this.retryMs;
      case 'connecting':
        return this.sinceMs + CONNECT_LIMIT_MS;
      case 'up':
        return this.askedMs === null ? this.heardMs + this.beatMs : Math.max(this.askedMs, this.heardMs) + this.missedMs;
      case 'doubtful':
        return this.hasRaced ? this.limitMs : Math.min(this.sinceMs + this.quickMs, this.limitMs);
    }
  }

  advance(nowMs: number): HealthCommand[] {
    if (nowMs < this.nextTimerMs) return [];
    switch (this.state) {
      case 'waiting':
        this.to('connecting', nowMs);
        return ['connect'];
      case 'connecting':
        this.lost(nowMs);
        return ['give up'];
      case 'up':
        if (this.askedMs === null) {
          this.askedMs = nowMs;
          return ['ping'];
        }
        this.to('doubtful', nowMs);
        return [];
      case 'doubtful':
        if (nowMs >= this.limitMs) {
          this.lost(nowMs);
          return ['give up'];
        }
        this.hasRaced = true;
        return ['race'];
    }
  }

  private to(state: RelayHealth['state'], nowMs: number): void {
    this.state = state;
    this.sinceMs = nowMs;
    [this.hasRaced, this.isOvertaken] = [false, false];
  }

  private get quickMs(): number {
    return Math.min(MAX_QUICK_MS, Math.max(MIN_QUICK_MS, QUICK_RTTS * this.smoothedMs));
  }

  private get beatMs(): number {
    return this.heardMs < this.usedMs + IN_USE_MS ? this.quickMs : IDLE_BEAT_MS;
  }

  private get missedMs(): number {
    return Math.max(MIN_MISSED_MS, MISSED_RTTS * this.smoothedMs);
  }

  private get limitMs(): number {
    return this.heardMs + (this.isOvertaken ? Math.max(OVERTAKEN_MS, OVERTAKEN_RTTS * this.smoothedMs) : SILENT_LIMIT_MS);
  }

  private get retryMs(): number {
    return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attemptsInVain);
  }
}
