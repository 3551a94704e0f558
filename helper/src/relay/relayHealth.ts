/** What is to be done with the connection to the relay. */
export type HealthCommand = 'connect' | 'ping' | 'race' | 'give up';

/** The relay is asked whether it is there when it has said nothing for so long. */
const IDLE_BEAT_MS = 10_000;
/** Sooner after bytes went or came, as more is waited for: in a round trip, and in twice as long after each beat that brought nothing else. So it costs what waits at most as long again as it has waited. */
const BEAT_RTTS = 1;
/** Of the silence after a missed beat. */
const RACE_RTTS = 2;
const [MIN_QUICK_MS, MAX_QUICK_MS] = [50, 300];
/** A beat is missed when nothing has come for so many round trips after it was asked for, as few as tell: more would only add to a page's wait. */
const MISSED_RTTS = 1.5;
/** A packet that was lost goes again after so much more than a round trip at the soonest (Linux's TCP_RTO_MIN), which no race is worth. */
const MIN_MISSED_MS = 200;
/** Of the last round trip in the mean of all, and in that of their deviations; of these so many are waited for (RFC 6298, section 2). */
const [RTT_WEIGHT, DEVIATION_WEIGHT, DEVIATIONS] = [1 / 8, 1 / 4, 4];
/** A beat stands behind what goes up, which a direct connection does not. So much is no upload: a page's requests, and what any connection may send at once (RFC 6928). */
const BESIDE_BYTES = 16_384;
/** In bytes per millisecond: so slow the way up is taken to be until a beat has told of it (128 kbit/s), and no slower. */
const LEAST_UPLINK = 16;
/** By the next time it may be slower by so much. */
const UPLINK_DECAY = 1 / 2;
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
  /** Whether nothing else has come since: a beat that stood behind bytes of a page tells of the queue, not of the way. */
  private isAlone = false;
  /** Beats that were answered since bytes went or came. */
  private beats = Infinity;
  private smoothedMs = 0;
  private deviationMs = 0;
  private sentBytes = 0;
  /** What of it may not have arrived, at that moment: it goes at the uplink's rate, or slower than it does. */
  private queuedBytes = 0;
  private queuedMs = 0;
  private uplink = LEAST_UPLINK;
  /** Before the beat that was asked for last: in all, and in the queue. */
  private sentBeforeBytes = 0;
  private queuedBeforeBytes = 0;
  private hasRaced = false;
  private isOvertaken = false;

  /** Whether what is opened now may go through the relay. */
  get isUp(): boolean {
    return this.state === 'up';
  }

  /** Whether the direct way is worth more: a beat is missed, and nothing has come since the race for it began. */
  get isSilent(): boolean {
    return this.state === 'doubtful' && this.hasRaced;
  }

  /** The relay has taken us. @param rttMs of the handshake */
  connected(rttMs: number, nowMs: number): void {
    if (this.state !== 'connecting') return;
    this.to('up', nowMs);
    [this.upMs, this.heardMs, this.askedMs, this.beats] = [nowMs, nowMs, null, Infinity];
    [this.smoothedMs, this.deviationMs] = [rttMs, 0];
    [this.sentBytes, this.queuedBytes, this.queuedMs, this.uplink, this.sentBeforeBytes, this.queuedBeforeBytes] = [0, 0, nowMs, LEAST_UPLINK, 0, 0];
  }

  /** So many bytes have left on the connection in all. */
  sent(bytes: number, nowMs: number): void {
    this.queuedBytes = Math.max(0, this.queuedBytes - (nowMs - this.queuedMs) * this.leastUplink) + bytes - this.sentBytes;
    [this.sentBytes, this.queuedMs] = [bytes, nowMs];
  }

  /** Something has come that is no answer to a beat. */
  heard(nowMs: number): void {
    [this.isAlone, this.beats] = [false, 0];
    this.came(nowMs);
  }

  /** A beat was answered. */
  answered(rttMs: number, nowMs: number): void {
    this.askedMs = null;
    this.beats += 1;
    if (this.uploadMs > 0) this.uplink = Math.max(this.queuedBeforeBytes / rttMs, this.leastUplink);
    else if (this.isAlone) {
      this.deviationMs += (Math.abs(rttMs - this.smoothedMs) - this.deviationMs) * DEVIATION_WEIGHT;
      this.smoothedMs += (rttMs - this.smoothedMs) * RTT_WEIGHT;
    }
    [this.queuedBytes, this.queuedMs, this.queuedBeforeBytes] = [this.sentBytes - this.sentBeforeBytes, nowMs, 0];
    this.came(nowMs);
  }

  /** A tunnel was opened, or bytes went on one: an answer is waited for. */
  used(): void {
    this.beats = 0;
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
        return this.hasRaced ? this.limitMs : Math.min(this.sinceMs + this.quickMs(RACE_RTTS), this.limitMs);
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
          [this.askedMs, this.isAlone] = [nowMs, true];
          [this.sentBeforeBytes, this.queuedBeforeBytes] = [this.sentBytes, this.queuedBytes];
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

  private came(nowMs: number): void {
    this.heardMs = nowMs;
    if (this.state === 'doubtful') this.to('up', nowMs);
  }

  private to(state: RelayHealth['state'], nowMs: number): void {
    this.state = state;
    this.sinceMs = nowMs;
    [this.hasRaced, this.isOvertaken] = [false, false];
  }

  private quickMs(rtts: number): number {
    return Math.min(MAX_QUICK_MS, Math.max(MIN_QUICK_MS, rtts * this.smoothedMs));
  }

  /** After a longer silence a beat goes with what is asked for. */
  private get beatMs(): number {
    return Math.min(IDLE_BEAT_MS, this.quickMs(BEAT_RTTS) * 2 ** this.beats);
  }

  private get missedMs(): number {
    return this.uploadMs + Math.max(MIN_MISSED_MS, MISSED_RTTS * this.smoothedMs, this.smoothedMs + DEVIATIONS * this.deviationMs);
  }

  /** So long what stands before the beat that was asked for last may hold it up. */
  private get uploadMs(): number {
    return this.queuedBeforeBytes > BESIDE_BYTES ? this.queuedBeforeBytes / this.leastUplink : 0;
  }

  private get leastUplink(): number {
    return Math.max(LEAST_UPLINK, UPLINK_DECAY * this.uplink);
  }

  private get limitMs(): number {
    return this.heardMs + this.uploadMs + (this.isOvertaken ? Math.max(OVERTAKEN_MS, OVERTAKEN_RTTS * this.smoothedMs) : SILENT_LIMIT_MS);
  }

  private get retryMs(): number {
    return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** this.attemptsInVain);
  }
}
