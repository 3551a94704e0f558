import type { Transform } from 'node:stream';
import { mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import { pairsOf, valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { decoderOf, isBomb, type DecodedPeek } from '../../../shared/src/node/reading/contentDecoding.ts';
import { bodyReader } from '../../../shared/src/node/relay/bodyReader.ts';
import { codingOf, MIN_KEPT_BYTES } from '../../../shared/src/node/relay/keptBodies.ts';
import { CODED_FIELD, LENGTH_FIELD, type BodyCoding } from '../../../shared/src/relay/wire.ts';
import type { AnswerSink } from './answerSink.ts';
import { BODY_ENCODERS, type BodyEncoder } from './bodyEncoders.ts';
import { OF_CODED_BYTES } from './digestFields.ts';
import { mayTransform } from './mayTransform.ts';
import type { Room } from '../../../shared/src/node/reading/room.ts';

/** A former body of the same server, which the helper has as well. */
export interface Dictionary {
  readonly hash: string;
  readonly body: Buffer;
}

/** Who has an answer coded. */
export interface CodedBodyHost {
  /** In what it may be; null for nothing but what it is in. */
  readonly coding: BodyCoding | null;
  /** For zstd; null where none of those that the helper has is here. */
  readonly dictionary: Dictionary | null;
  /** Is given the whole body, without its content coding; null where it is not to be kept. */
  readonly keep: ((body: Buffer) => void) | null;
  readonly encoders: Room;
  /** Bytes of what is to be kept, until it is whole. */
  readonly gathered: Room;
  /** More of it may come. */
  wanted(): void;
  /** Its content coding is broken, or a bomb. */
  broken(): void;
}

/** What is not compressed already, and has an end: an encoder is taken for as long as its body comes. */
const TEXT = /^(?:text\/(?!event-stream)|image\/svg)|[/+](?:json|xml|javascript|ecmascript|manifest\+json|wasm)$|^application\/(?:x-javascript|vnd\.ms-fontobject)$|^font\/(?:ttf|otf)$/;
/** Codings in which text is larger than in ours. */
const WEAKER: ReadonlySet<string> = new Set(['', 'gzip', 'x-gzip', 'deflate']);
/** Of the carrier, and made anew. */
const ANEW: ReadonlySet<string> = new Set(['content-encoding', 'content-length', CODED_FIELD, LENGTH_FIELD]);
/** About the coding that is taken away. */
const OF_THE_CODING: ReadonlySet<string> = new Set([...OF_CODED_BYTES, 'accept-ranges']);

/**
 * A body on its way to the helper: in a coding of the carrier where that is smaller, against a former body where both ends have one; as it is elsewhere. What may be the former body of a later one is gathered.
 */
export class CodedBody implements AnswerSink {
  private readonly sink: AnswerSink;
  private readonly host: CodedBodyHost;
  /** Its content coding. */
  private coding = '';
  private isFirst = true;
  private decoder: Transform | null = null;
  private codedBytes = 0;
  private decodedBytes = 0;
  private encoder: BodyEncoder | null = null;
  private reader: DecodedPeek | null = null;
  private flushing: NodeJS.Immediate | undefined;
  /** Something was written that may be in the encoder still. */
  private isUnflushed = false;

  constructor(sink: AnswerSink, host: CodedBodyHost) {
    [this.sink, this.host] = [sink, host];
  }

  start(fields: RawHeaders): void {
    this.coding = codingOf(fields);
    const { coding, dictionary, keep, encoders, gathered } = this.host;
    const isCoded = coding !== null && isSmaller(fields, this.coding, dictionary !== null) && encoders.take();
    this.reader = keep && bodyReader(isCoded ? '' : this.coding, keep, gathered);
    if (isCoded) {
      this.encoder = this.open(coding, dictionary);
      this.sink.start(codedFields(fields, this.coding, coding, dictionary));
    } else this.sink.start(fields);
  }

  data(chunk: Buffer): boolean {
    if (this.encoder === null) {
      this.reader?.write(chunk);
      return this.sink.data(chunk);
    }
    if (this.isFirst && this.coding !== '') this.decode(chunk);
    this.isFirst = false;
    this.codedBytes += chunk.length;
    if (this.decoder === null) this.take(chunk);
    else this.decoder.write(chunk, () => this.flushSoon());
    return !this.isFull;
  }

  end(): void {
    if (this.encoder === null) {
      this.reader?.end();
      this.sink.end();
    } else if (this.decoder === null) this.finish();
    else this.decoder.end();
  }

  wanted(): void {
    this.encoder?.resume();
    this.sink.wanted();
  }

  close(): void {
    clearImmediate(this.flushing);
    this.reader?.close();
    this.decoder?.destroy();
    this.encoder?.destroy();
    this.sink.close();
  }

  private get isFull(): boolean {
    return this.encoder?.writableNeedDrain === true || this.decoder?.writableNeedDrain === true;
  }

  private open(coding: BodyCoding, dictionary: Dictionary | null): BodyEncoder {
    const encoder = BODY_ENCODERS[coding].open(dictionary?.body ?? null);
    encoder.on('data', (bytes: Buffer) => {
      if (!this.sink.data(bytes)) encoder.pause();
    });
    encoder.on('drain', () => {
      this.decoder?.resume();
      if (!this.isFull) this.host.wanted();
    });
    encoder.once('end', () => {
      this.sink.end();
      // what it has coded may wait for long yet
      encoder.destroy();
    });
    encoder.once('close', () => this.host.encoders.give());
    encoder.once('error', () => this.host.broken());
    return encoder;
  }

  private decode(first: Buffer): void {
    const decoder = decoderOf(this.coding, first);
    if (decoder === null) return;
    decoder.on('data', (bytes: Buffer) => {
      this.decodedBytes += bytes.length;
      if (isBomb(this.codedBytes, this.decodedBytes)) decoder.destroy(new Error('a bomb'));
      else this.take(bytes);
    });
    decoder.on('drain', () => this.isFull || this.host.wanted());
    decoder.once('end', () => this.finish());
    decoder.once('error', () => this.host.broken());
    this.decoder = decoder;
  }

  private take(bytes: Buffer): void {
    const { encoder } = this;
    if (encoder === null) return;
    this.reader?.write(bytes);
    this.isUnflushed = true;
    if (!encoder.write(bytes)) this.decoder?.pause();
    this.flushSoon();
  }

  /** What has come goes on, whatever comes later; but not each piece of a chunk by itself, which would cost a hundredth of its bytes. */
  private flushSoon(): void {
    const { encoder, decoder, host: { coding } } = this;
    if (encoder === null || coding === null) return;
    this.flushing ??= setImmediate(() => {
      this.flushing = undefined;
      const isMoreComing = decoder !== null && decoder.writableLength + decoder.readableLength > 0;
      if (!this.isUnflushed || isMoreComing || encoder.destroyed || encoder.writableEnded) return;
      this.isUnflushed = false;
      encoder.flush(BODY_ENCODERS[coding].flush);
    });
  }

  /** Not by its `end`: of zstd Node 24 ends the frame of the last chunk, and one of nothing behind it. */
  private finish(): void {
    const { encoder, host: { coding } } = this;
    clearImmediate(this.flushing);
    this.reader?.end();
    if (encoder !== null && coding !== null) encoder.flush(BODY_ENCODERS[coding].end, () => encoder.push(null));
  }
}

/** Whether an answer is worth it. */
export function isSmaller(answer: RawHeaders, coding: string, hasDictionary: boolean): boolean {
  const isTiny = Number(valueOf(answer, 'content-length') ?? MIN_KEPT_BYTES) < MIN_KEPT_BYTES;
  return mayTransform(answer) && !isTiny && (hasDictionary || (WEAKER.has(coding) && TEXT.test(mediaTypeOf(answer))));
}

/** What the browser is told, in the end. A tag of the coded bytes is not one of others: it is weak then (RFC 9110, section 8.8.1). */
function codedFields(answer: RawHeaders, before: string, coding: BodyCoding, dictionary: Dictionary | null): string[] {
  const length = before === '' ? valueOf(answer, 'content-length') : null;
  const kept = pairsOf(answer).flatMap(([name, value]) => {
    const field = name.toLowerCase();
    if (field === 'etag' && before !== '') return [name, value.replace(/^"/, 'W/"')];
    return ANEW.has(field) || (OF_THE_CODING.has(field) && before !== '') ? [] : [name, value];
  });
  return [...kept, CODED_FIELD, dictionary === null ? coding : `${coding} ${dictionary.hash}`, ...(length === null ? [] : [LENGTH_FIELD, length])];
}
