import { setTimeout as sleep } from 'node:timers/promises';
import { codeOf } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { FlowEnds, RepairedFlow, ToldHoles } from '../driver/repairedFlow.ts';
import type { AnswerFlow, AnswerRepair, RepairHost } from '../upstream/answerRepair.ts';
import type { AnswerSink } from '../upstream/begunAnswer.ts';
import { HoleRepair, type RepairLimits } from './holeRepair.ts';
import type { OriginGain } from './originGain.ts';
import { probeRanges } from './rangeProbe.ts';
import type { Representation } from './rangeRequest.ts';
import { Reassembly } from './reassembly.ts';
import type { SideConnections } from './sideConnections.ts';

/** A connection whose losses the driver fills. */
type FilledFlow = Pick<RepairedFlow, 'from' | 'holes' | 'close'>;

/** The driver, as far as it fills losses. */
export interface FlowDriver {
  /** It is there, and may. */
  readonly canRepair: boolean;
  /** @throws FirstscreenError E_DRIVER_REFUSED: nothing is filled. Any other error leaves that open */
  repair(ends: FlowEnds, end: number): Promise<FilledFlow>;
}

/** What all answers have in common. */
export interface RepairContext {
  readonly driver: FlowDriver;
  readonly sides: SideConnections;
  readonly gain: OriginGain;
  readonly limits: RepairLimits;
  /** Of a body, and of what is still to come of it when its repair begins: less is there in a few round trips, and TCP repairs it. */
  readonly minBytes: number;
  /** Of all answers together: read, and waiting for what is missing before it. */
  readonly waiting: { bytes: number };
  readonly now: () => number;
  readonly log: LogSink;
}

/** A body that may be repaired, by the head of its answer. */
export interface RepairableBody {
  readonly representation: Representation;
  /** Where it begins in the representation. */
  readonly first: number;
  readonly lengthBytes: number;
  /** Whether it only is measured, without repair. */
  readonly isCompared: boolean;
}

/** What comes in two round trips of 100 Mbit/s and 150 ms, and the answers of repair with it. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const MAX_ALL_WAITING_BYTES = 32 * 1024 * 1024;

/**
 * FWP's session layer (section V-D) for one answer. It reads what the driver lets through with placeholders in it, asks before it passes a byte on whether that is one, and has these replaced: by their
 * late originals, or by ranges of the same representation. Whatever is in doubt is not passed on: then the rest is fetched anew by whoever made the request.
 *
 *     passing ──ranges can be had──► registering ──► filled ──all told and replaced──► over
 *        ▲                               │ refused      │ any doubt
 *        └───────────────────────────────┘              └──────► lost: anew from the last byte that was passed on
 */
export class RepairedAnswer implements AnswerRepair {
  private sink: AnswerSink;
  private readonly flow: AnswerFlow;
  private readonly host: RepairHost;
  private readonly context: RepairContext;
  private readonly judge: (status: number, fields: RawHeaders) => RepairableBody | null;
  private body: RepairableBody | null = null;
  /** Of the body's first byte, in the stream. */
  private startOffset = 0;
  private readBytes = 0;
  /** From the moment on that the driver may fill something. */
  private reassembly: Reassembly | null = null;
  private filled: FilledFlow | null = null;
  private repair: HoleRepair | null = null;
  private isAsking = false;
  private isSinkFull = false;
  /** While no more is read. */
  private held: PromiseWithResolvers<void> | null = null;
  private done: (() => void) | null = null;
  private isOver = false;
  /** The placeholder that everything waits for. */
  private stalledAt: number | null = null;
  private stall: NodeJS.Timeout | undefined;
  private waitingBytes = 0;
  private firstMs = 0;
  private lastMs = 0;
  private firstBytes = 0;
  private holes = 0;
  private wasSinkFull = false;
  private wasFilled = false;

  /** @param judge says of the answer's head whether its body may be repaired */
  constructor(flow: AnswerFlow, sink: AnswerSink, host: RepairHost, context: RepairContext, judge: RepairedAnswer['judge']) {
    [this.flow, this.sink, this.host, this.context, this.judge] = [flow, sink, host, context, judge];
  }

  informed(status: number, fields: RawHeaders): void {
    this.sink.informed(status, fields);
  }

  started(status: number, text: string, fields: RawHeaders): void {
    this.body = this.judge(status, fields);
    if (this.body?.isCompared === false) this.sink = this.host.begin();
    this.sink.started(status, text, fields);
  }

  data(chunk: Buffer): Promise<void> | null {
    const { body, reassembly } = this;
    if (this.isOver) return null;
    if (body === null) return this.sink.data(chunk);
    const offset = this.flow.offsetOf(chunk);
    if (this.readBytes === 0) this.begin(body, chunk, offset);
    const isInPlace = offset === this.startOffset + this.readBytes;
    this.readBytes += chunk.length;
    this.lastMs = this.context.now();
    if (reassembly === null) {
      // nothing is filled yet, and nothing will be
      if (!isInPlace) this.body = null;
      return this.pass(chunk);
    }
    if (!isInPlace) {
      this.lose('place');
      return null;
    }
    reassembly.read(chunk);
    void this.ask();
    this.settle();
    return this.mustHold ? (this.held ??= Promise.withResolvers()).promise : null;
  }

  ended(done: () => void): void {
    if (this.isOver) return;
    if (this.reassembly === null) {
      this.measure();
      this.close();
      done();
      return;
    }
    this.done = done;
    this.settle();
  }

  close(): void {
    if (this.isOver) return;
    this.isOver = true;
    clearTimeout(this.stall);
    this.repair?.close();
    this.filled?.close();
    this.filled = null;
    this.held?.resolve();
    this.context.waiting.bytes -= this.waitingBytes;
  }

  /** The first piece of the body is there. */
  private begin(body: RepairableBody, { length, [0]: firstByte = 0 }: Buffer, offset: number | null): void {
    this.startOffset = offset ?? NaN;
    this.firstBytes = length;
    this.firstMs = this.context.now();
    if (offset === null || body.isCompared) return;
    this.probe(body, firstByte).catch(() => {
      // before a flow is registered nothing is missing
      if (this.reassembly !== null) this.lose('driver');
    });
  }

  private pass(chunk: Buffer): Promise<void> | null {
    const wait = this.sink.data(chunk);
    if (wait === null) return null;
    this.isSinkFull = this.wasSinkFull = true;
    return wait.then(() => {
      this.isSinkFull = false;
      this.settle();
    });
  }

  private async probe(body: RepairableBody, firstByte: number): Promise<void> {
    const { representation, first, lengthBytes } = body;
    const { origin } = representation.request;
    const { sides, gain, limits, minBytes, now } = this.context;
    const ranges = await probeRanges(representation, { first, end: first + lengthBytes }, firstByte, gain.rangesOf(origin, now()), sides, limits.silenceMs);
    if (ranges !== null) gain.answered(origin, ranges, now());
    if (this.isOver || this.body === null || ranges === null || ranges === 'none' || lengthBytes - this.readBytes < minBytes) return;
    await this.register(body, ranges);
  }

  private async register({ representation, first, lengthBytes }: RepairableBody, ranges: 'multipart' | 'single'): Promise<void> {
    const { driver, sides, gain, limits, now } = this.context;
    const reassembly = (this.reassembly = new Reassembly(this.readBytes, lengthBytes));
    this.repair = new HoleRepair(representation, first, ranges, sides, limits, {
      missing: reassembly.missing,
      patch: (offset, bytes) => {
        reassembly.patch(offset, bytes);
        this.settle();
      },
      failed: () => this.lose('refused'),
    });
    let filled: FilledFlow | null = null;
    try {
      filled = await driver.repair(this.flow.ends, this.startOffset + lengthBytes);
    } catch (error) {
      if (codeOf(error) !== 'E_DRIVER_REFUSED') {
        this.lose('driver');
        return;
      }
      gain.refused(representation.request.origin, now());
    }
    if (this.isOver) filled?.close();
    if (this.isOver) return;
    this.filled = filled;
    this.wasFilled = filled !== null;
    reassembly.told(filled === null ? lengthBytes : Math.max(filled.from - this.startOffset, reassembly.watermark), []);
    void this.ask();
    this.settle();
  }

  /** Asks for placeholders in all that has been read, one question at a time. */
  private async ask(): Promise<void> {
    const { reassembly, filled } = this;
    if (this.isAsking || filled === null || reassembly === null) return;
    this.isAsking = true;
    try {
      while (this.isBehind(reassembly)) {
        const before = reassembly.watermark;
        const told = await filled.holes(this.startOffset + reassembly.readBytes);
        if (this.isOver) return;
        if (!this.take(told, reassembly) || reassembly.watermark === before) this.lose('told');
        else this.settle();
        if (reassembly.readBytes < reassembly.lengthBytes) await sleep(this.context.limits.questionMs);
      }
    } catch {
      this.lose('driver');
    } finally {
      this.isAsking = false;
    }
  }

  private isBehind({ watermark, readBytes }: Reassembly): boolean {
    return !this.isOver && watermark < readBytes;
  }

  private take({ through, holes, late }: ToldHoles, reassembly: Reassembly): boolean {
    const ranges = holes.map(([offset, length]) => ({ first: offset - this.startOffset, end: offset - this.startOffset + length }));
    this.holes += holes.length;
    if (!reassembly.told(through - this.startOffset, ranges)) return false;
    for (const { offset, bytes } of late) reassembly.patch(offset - this.startOffset, bytes);
    return true;
  }

  /** Whether no more is to be read for now. */
  private get mustHold(): boolean {
    const { reassembly, context } = this;
    if (this.isOver || reassembly === null) return false;
    const isFull = this.waitingBytes > MAX_WAITING_BYTES || (this.waitingBytes > 0 && context.waiting.bytes > MAX_ALL_WAITING_BYTES);
    return this.isSinkFull || isFull;
  }

  /** Passes on what may go, and has what is missing asked for. */
  private settle(): void {
    const { reassembly } = this;
    if (reassembly === null) return;
    for (let chunk = this.next(reassembly); chunk !== null; chunk = this.next(reassembly)) void this.pass(chunk);
    if (this.isOver) return;
    this.context.waiting.bytes += reassembly.waitingBytes - this.waitingBytes;
    this.waitingBytes = reassembly.waitingBytes;
    if (reassembly.watermark === reassembly.lengthBytes) {
      this.filled?.close();
      this.filled = null;
    }
    this.watch(reassembly.missing.first);
    this.repair?.look();
    if (!this.mustHold) {
      this.held?.resolve();
      this.held = null;
    }
    if (this.done === null || !reassembly.isWhole) return;
    const { done } = this;
    this.measure();
    this.close();
    done();
  }

  private next(reassembly: Reassembly): Buffer | null {
    return this.isOver || this.isSinkFull ? null : reassembly.take();
  }

  /** What everything waits for may do so for a time. */
  private watch(missing: number | null): void {
    if (missing === this.stalledAt) return;
    this.stalledAt = missing;
    clearTimeout(this.stall);
    if (missing !== null) this.stall = setTimeout(() => this.lose('stalled'), this.context.limits.holeMs);
  }

  /** @param reason for the log alone */
  private lose(reason: 'place' | 'driver' | 'told' | 'refused' | 'stalled'): void {
    if (this.isOver) return;
    this.close();
    this.context.log({ level: 'info', scope: 'repair', message: 'the rest of an answer is fetched anew', fields: { reason } });
    this.host.lost();
  }

  /** What a reader has held up is no server's rate. */
  private measure(): void {
    const { body } = this;
    if (body === null || this.wasSinkFull || this.wasFilled === body.isCompared) return;
    const sample = { bytes: this.readBytes - this.firstBytes, durationMs: this.lastMs - this.firstMs, holes: body.isCompared ? null : this.holes };
    this.context.gain.measured(body.representation.request.origin, sample, this.context.now());
  }
}
