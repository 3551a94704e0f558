import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { AnswerSink } from './answerSink.ts';
import type { EncodedImage } from './encodeImage.ts';
import { MAX_IMAGE_BYTES, variantFields } from './imageAnswers.ts';
import type { ImageCoders } from './imageCoders.ts';
import { imageKindOf, type ImageType } from './imageKind.ts';
import type { Room } from '../../../shared/src/node/reading/room.ts';

/** What a held picture needs of its surroundings. */
export interface HeldImageHost {
  readonly encode: ImageCoders['encode'];
  /** Bytes of pictures until they are encoded, of all clients. */
  readonly held: Room;
  /** Of this client's until they have left, or will not. */
  readonly whole: Room;
  /** Which its browser takes. */
  readonly types: readonly ImageType[];
  /** By which it is encoded before others, as it is now. */
  readonly level: () => number;
  /** Kilobits per second of the link; null where nobody has said that. */
  readonly rate: number | null;
  /** Whether the helper has just this body, so that nothing is smaller than what it is. */
  readonly isThere: (body: Buffer) => boolean;
  /** What was made of it before. */
  readonly known: (body: Buffer) => EncodedImage | null;
  readonly made: (body: Buffer, encoded: EncodedImage) => void;
  /** Whether the link has something to carry meanwhile that is as urgent. */
  readonly isBusy: () => boolean;
}

const CHECK_MS = 10;
/** In which most pictures are there, also over a few of a server's round trips. */
const ARRIVAL_MS = 100;
/** Half of a picture's bytes are gone afterwards; with less than that share of its time on the link something is won, however little. */
const WORTH = 0.4;
/** A link on which help hardly pays. */
const UNKNOWN_RATE = 8_000;
/** While the link is busy no time is lost, but it may want this picture before all that. */
export const PATIENCE_MS = 1_000;

/**
 * How long a picture may take to arrive and to be encoded while nothing else is to be carried, in milliseconds.
 *
 * @param rate of the link, kilobits per second
 */
export function limitMsOf(bytes: number, rate: number | null): number {
  return ARRIVAL_MS + (WORTH * 8 * bytes) / (rate ?? UNKNOWN_RATE);
}

/** A picture on its way that may come in fewer bytes: it is kept until it is whole and encoded, or until the link has had nothing to carry for too long; then it goes on as it is. */
export class HeldImage implements AnswerSink {
  private readonly sink: AnswerSink;
  private readonly host: HeldImageHost;
  private readonly over = new AbortController();
  private readonly timer: NodeJS.Timeout;
  private fields: RawHeaders = [];
  private chunks: Buffer[] = [];
  private bytes = 0;
  private isHeld = true;
  private isWhole = false;
  private lookedMs = performance.now();
  private heldMs = 0;
  /** Of that the link had nothing to carry that is as urgent. */
  private idleMs = 0;

  constructor(sink: AnswerSink, host: HeldImageHost) {
    [this.sink, this.host] = [sink, host];
    this.timer = setInterval(() => this.check(), CHECK_MS);
  }

  start(fields: RawHeaders): void {
    this.fields = fields;
  }

  data(chunk: Buffer): boolean {
    if (!this.isHeld) return this.sink.data(chunk);
    if (this.bytes + chunk.length <= MAX_IMAGE_BYTES && this.hasRoom(chunk.length)) {
      this.chunks.push(chunk);
      this.bytes += chunk.length;
      return true;
    }
    this.goOn();
    return this.sink.data(chunk);
  }

  end(): void {
    this.isWhole = true;
    if (this.isHeld) void this.encode();
    else this.sink.end();
  }

  wanted(): void {
    this.sink.wanted();
  }

  close(): void {
    this.letGo();
    this.host.whole.give(this.bytes);
    this.sink.close();
  }

  private async encode(): Promise<void> {
    this.count();
    // what goes wrong costs it its smaller form, and nothing else
    const encoded = await this.smaller(Buffer.concat(this.chunks)).catch(() => null);
    if (!this.isHeld) return;
    if (encoded === null) {
      this.goOn();
      return;
    }
    this.letGo();
    this.sink.start(variantFields(this.fields, encoded));
    this.sink.data(Buffer.from(encoded.body));
    this.sink.end();
  }

  /** @returns null where it stays as it is */
  private async smaller(bytes: Buffer): Promise<EncodedImage | null> {
    const { isThere, isBusy, known, encode, types, level, made } = this.host;
    const kind = isThere(bytes) ? null : imageKindOf(bytes);
    const before = kind && known(bytes);
    if (kind === null || before !== null) return before;
    const limitMs = isBusy() ? PATIENCE_MS : this.limitMs - this.idleMs;
    const encoded = await encode({ bytes, kind, types, limitMs }, level, this.over.signal);
    if (encoded !== null) made(bytes, encoded);
    return encoded;
  }

  /** It is taken then. */
  private hasRoom(bytes: number): boolean {
    const { held, whole } = this.host;
    if (!whole.take(bytes)) return false;
    if (held.take(bytes)) return true;
    whole.give(bytes);
    return false;
  }

  private get limitMs(): number {
    const said = Number(valueOf(this.fields, 'content-length') ?? 0);
    return limitMsOf(Math.max(said, this.bytes), this.host.rate);
  }

  private check(): void {
    this.count();
    if (this.heldMs > PATIENCE_MS || this.idleMs > this.limitMs) this.goOn();
  }

  private count(): void {
    const nowMs = performance.now();
    const ms = nowMs - this.lookedMs;
    this.lookedMs = nowMs;
    this.heldMs += ms;
    if (!this.host.isBusy()) this.idleMs += ms;
  }

  /** As it is. */
  private goOn(): void {
    const { chunks } = this;
    this.letGo();
    this.sink.start(this.fields);
    for (const chunk of chunks) this.sink.data(chunk);
    if (this.isWhole) this.sink.end();
  }

  private letGo(): void {
    if (!this.isHeld) return;
    this.isHeld = false;
    clearInterval(this.timer);
    this.host.held.give(this.bytes);
    this.chunks = [];
    this.over.abort();
  }
}
