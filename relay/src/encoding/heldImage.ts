import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { AnswerSink } from './answerSink.ts';
import type { EncodedImage, ImageType } from './encodeImage.ts';
import { MAX_IMAGE_BYTES, variantFields } from './imageAnswers.ts';
import type { ImageCoders } from './imageCoders.ts';
import { imageKindOf } from './imageKind.ts';

/** What a held picture needs of its surroundings. */
export interface HeldImageHost {
  readonly coders: Pick<ImageCoders, 'encode' | 'hold' | 'letGo'>;
  /** Which its browser takes. */
  readonly types: readonly ImageType[];
  readonly level: number;
  /** Whether the helper has just this body, so that nothing is smaller than what it is. */
  readonly isThere: (body: Buffer) => boolean;
  /** What was made of it before. */
  readonly known: (body: Buffer) => EncodedImage | null;
  readonly made: (body: Buffer, encoded: EncodedImage) => void;
  /** Whether the link has something else to carry meanwhile. */
  readonly isBusy: () => boolean;
}

const CHECK_MS = 10;
/** A picture that is not all there so long after its beginning comes more slowly than a slow link carries it. */
const ARRIVAL_MS = 100;
/** For what is there; with what each kilobyte has besides, a link that is faster than 8 Mbit/s would have carried it as it is. */
const ENCODE_MS = 20;
const ENCODE_MS_PER_BYTE = 1 / 1000;
/** While the link is busy no time is lost, but it may want this picture before all that. */
export const PATIENCE_MS = 1_000;

/** How long a picture of so many bytes may take to encode while nothing else is to be carried. */
export function limitMsOf(bytes: number): number {
  return ENCODE_MS + bytes * ENCODE_MS_PER_BYTE;
}

/** A picture on its way that may come in fewer bytes: it is kept until it is whole and encoded, or until that takes too long; then it goes on as it is. */
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
  private sinceMs = performance.now();

  constructor(sink: AnswerSink, host: HeldImageHost) {
    [this.sink, this.host] = [sink, host];
    this.timer = setInterval(() => this.check(), CHECK_MS);
  }

  start(fields: RawHeaders): void {
    this.fields = fields;
  }

  data(chunk: Buffer): boolean {
    if (!this.isHeld) return this.sink.data(chunk);
    const hasRoom = this.bytes + chunk.length <= MAX_IMAGE_BYTES && this.host.coders.hold(chunk.length);
    if (hasRoom) {
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
    this.sink.close();
  }

  private async encode(): Promise<void> {
    this.sinceMs = performance.now();
    const bytes = Buffer.concat(this.chunks);
    const kind = this.host.isThere(bytes) ? null : imageKindOf(bytes);
    const limitMs = this.host.isBusy() ? PATIENCE_MS : this.limitMs;
    const known = kind && this.host.known(bytes);
    const encoded = known ?? (kind && (await this.host.coders.encode({ bytes, kind, types: this.host.types, limitMs }, this.host.level, this.over.signal)));
    if (encoded !== null && known === null) this.host.made(bytes, encoded);
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

  private get limitMs(): number {
    return this.isWhole ? limitMsOf(this.bytes) : ARRIVAL_MS;
  }

  private check(): void {
    const heldMs = performance.now() - this.sinceMs;
    if (heldMs > PATIENCE_MS || (heldMs > this.limitMs && !this.host.isBusy())) this.goOn();
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
    this.host.coders.letGo(this.bytes);
    this.chunks = [];
    this.over.abort();
  }
}
