import { constants, type ServerHttp2Stream, type ServerStreamResponseOptions } from 'node:http2';
import { Readable } from 'node:stream';
import { groupedFields, valueOf, without, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { carriedFields } from '../../../shared/src/node/relay/carriedFields.ts';
import type { AnswerSink } from '../encoding/answerSink.ts';
import { breakOffStream } from '../tunnels/resetStream.ts';

/** What an answer goes out on. */
export interface AnswerStream {
  readonly stream: ServerHttp2Stream;
  /** Of the request, of which not all may be wanted. */
  readonly body: Readable | null;
  readonly status: number;
  readonly hasBody: boolean;
  /** Has the queue carry the body. @param bytes of it; null where that is not said */
  send(body: Readable, bytes: number | null): void;
  /** More of it may come. */
  more(): void;
}

/** What a stream of the carrier may keep in the relay; the rest stays in the server's connection (docs/relay.md). */
const KEPT_BYTES = 64 * 1024;
/** Its length is none, and HTTP/2 takes no other word for it. */
const NO_CONTENT = 204;
/** The server says what day it is, or nobody; of that option the types do not know. */
const WITHOUT_DATE: ServerStreamResponseOptions = { ...({ sendDate: false } as object) };
const WITH_TRAILERS: ServerStreamResponseOptions = { ...WITHOUT_DATE, waitForTrailers: true };

/** An answer on its stream of the carrier, with the fields that are given. */
export class StreamAnswer implements AnswerSink {
  /** To come behind its body. */
  trailers: RawHeaders = [];
  private readonly to: AnswerStream;
  /** Between the server that sends it and the queue that takes it. */
  private readonly answer: Readable;

  constructor(to: AnswerStream) {
    this.to = to;
    this.answer = new Readable({ highWaterMark: KEPT_BYTES, read: () => to.more() });
  }

  start(fields: RawHeaders): void {
    const { stream, body, status, hasBody } = this.to;
    // one that its client has broken off is closed before it is destroyed
    if (stream.destroyed || stream.closed) return;
    try {
      stream.respond([':status', String(status), ...(status === NO_CONTENT ? without(fields, 'content-length') : fields)], hasBody ? WITH_TRAILERS : WITHOUT_DATE);
    } catch {
      // fields that nobody may send
      cutOff(stream);
      return;
    }
    stream.once('wantTrailers', () => {
      try {
        stream.sendTrailers(groupedFields(carriedFields(this.trailers)));
      } catch {
        // fields that nobody may send behind a body
        cutOff(stream);
      }
      // of what is left of its body nothing is wanted (RFC 9113, section 8.1)
      if (body?.readableEnded === false) stream.close(constants.NGHTTP2_NO_ERROR);
    });
    const length = valueOf(fields, 'content-length');
    if (hasBody) this.to.send(this.answer, length === null ? null : Number(length));
    else this.answer.resume();
  }

  data(chunk: Buffer): boolean {
    return this.answer.push(chunk);
  }

  end(): void {
    this.answer.push(null);
  }

  wanted(): void {
    // its own reader is who asks
  }

  close(): void {
    this.answer.destroy();
  }
}

export function cutOff(stream: ServerHttp2Stream): void {
  breakOffStream(stream, 'the server has cut it off');
}
