import { DEFAULT_LEVEL } from '../../../shared/src/relay/wire.ts';
import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { contentRangeOf, isSameRepresentation, partOf, type ByteRange, type ContentRange } from '../http/partialContent.ts';
import type { UpstreamConnection } from '../upstream/connection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import { transfer, type Transfer } from '../upstream/transfer.ts';
import { MultipartRanges, boundaryOf } from './multipartRanges.ts';

const [PARTIAL_CONTENT, TOO_MANY_REQUESTS, SERVER_ERROR] = [206, 429, 500];

/** The representation of which parts are asked for, as its own answer told. */
export interface Representation {
  readonly request: UpstreamRequest;
  /** Of the answer. */
  readonly fields: RawHeaders;
  /** By which a part is one of the same (RFC 9110, section 8.8). */
  readonly validator: string;
  readonly ofBytes: number;
}

/**
 * How a request for ranges ended. `multipart`, `single`: with parts of the representation, in an answer of that kind. `refused`: with something else, so that the representation has changed or its server
 * gives no such ranges. `lost`: not at all, with its connection, by its silence, or as its server can not now.
 */
export type RangeOutcome = 'multipart' | 'single' | 'refused' | 'lost';

export interface RangeRequest {
  readonly outcome: Promise<RangeOutcome>;
  /** Nobody waits any more. */
  stop(): void;
}

/**
 * Asks for ranges of a representation, several at once (RFC 9110, section 14.2).
 *
 * @param take gets the bytes as they come, each with its place in the representation: of what was asked for, less of it, or what is between
 * @param silenceMs when nothing comes for so long, it is lost
 */
export function askRanges(connection: UpstreamConnection, { request, fields: of, validator, ofBytes }: Representation, ranges: readonly ByteRange[], take: (offset: number, bytes: Buffer) => void, silenceMs: number): RangeRequest {
  const ending = Promise.withResolvers<RangeOutcome>();
  const span = { first: Math.min(...ranges.map(({ first }) => first)), end: Math.max(...ranges.map(({ end }) => end)) };
  let running: Transfer | null = null;
  let isOver = false;
  let silence: NodeJS.Timeout | undefined;
  const settle = (outcome: RangeOutcome): void => {
    if (isOver) return;
    isOver = true;
    clearTimeout(silence);
    ending.resolve(outcome);
    if (outcome === 'lost' || outcome === 'refused') queueMicrotask(() => running?.stop(new Error(outcome)));
  };
  const heard = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => settle('lost'), silenceMs);
  };
  const takePart = (range: ContentRange, offset: number, bytes: Buffer): boolean => {
    const isAsked = range.ofBytes === ofBytes && range.first >= span.first && range.end <= span.end;
    if (isAsked) take(offset, bytes);
    return isAsked;
  };
  let parts: { push(chunk: Buffer): boolean; readonly isWhole: boolean } | null = null;
  let kind: 'multipart' | 'single' = 'single';
  const sink: Parameters<typeof transfer>[1] = {
    informed: () => undefined,
    started: (status, _text, fields) => {
      const boundary = boundaryOf(fields);
      const range = contentRangeOf(fields);
      // the server can not now (RFC 9110, section 15.6; RFC 6585, section 4)
      if (status >= SERVER_ERROR || status === TOO_MANY_REQUESTS) settle('lost');
      else if (status !== PARTIAL_CONTENT || !isSameRepresentation(fields, of)) settle('refused');
      else if (boundary !== null) [kind, parts] = ['multipart', new MultipartRanges(boundary, takePart)];
      else if (range !== null && [null, range.end - range.first].includes(lengthOf(fields))) parts = new SinglePart(range, takePart);
      else settle('refused');
    },
    data: (chunk) => {
      heard();
      if (!isOver && parts?.push(chunk) === false) settle('refused');
      return null;
    },
  };
  heard();
  running = transfer(request, sink, connection, {
    headers: partOf(request.headers, ranges.map(({ first, end }) => `${first}-${end - 1}`).join(','), validator),
    mayRepeat: true,
    isWanted: () => !isOver,
    lost: () => undefined,
    isCredited: false,
    told: { level: DEFAULT_LEVEL, pushes: null },
    left: () => undefined,
    answered: heard,
    received: () => undefined,
    held: () => undefined,
    ended: () => settle(parts?.isWhole === true ? kind : 'lost'),
    repeat: () => settle('lost'),
    unusable: () => undefined,
    failed: () => settle('lost'),
  });
  return { outcome: ending.promise, stop: () => settle('lost') };
}

/** The body of an answer with one range. */
class SinglePart {
  private readonly range: ContentRange;
  private readonly take: (range: ContentRange, offset: number, bytes: Buffer) => boolean;
  private offset: number;

  constructor(range: ContentRange, take: SinglePart['take']) {
    [this.range, this.take, this.offset] = [range, take, range.first];
  }

  get isWhole(): boolean {
    return this.offset === this.range.end;
  }

  push(chunk: Buffer): boolean {
    const { offset } = this;
    this.offset += chunk.length;
    return this.offset <= this.range.end && this.take(this.range, offset, chunk);
  }
}
