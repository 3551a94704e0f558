import { createHash, type Hash } from 'node:crypto';
import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { codingOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { contentRangeOf, identityOf, partOf, strongTagOf, withoutConditions, type ContentRange } from '../http/partialContent.ts';
import type { ResponseSink, UpstreamRequest } from './fetch.ts';

const [OK, PARTIAL_CONTENT] = [200, 206];
/** What is told as it happens: nobody can tell the rest, and who listens asks again himself (HTML, server-sent events). */
const LIVE = /^(?:text\/event-stream|multipart\/x-mixed-replace)\b/i;
/** Of one answer; a relay that is lost more often is no way to it. */
const MAX_LOSSES = 3;

/** What takes one answer as it comes, but for its end. */
export type AnswerSink = Pick<ResponseSink, 'informed' | 'started' | 'data'>;

/** Who asks by one way. */
interface WayHost {
  /** It has brought what comes next: every other way is to be left. */
  ahead(): void;
  /** It brings what has passed already. */
  repeats(): void;
  /** The rest can not be had by itself: all of it is to be asked for, as `fieldsOf` says then. */
  again(): void;
  /** What comes is not the same answer: it was left. */
  broken(): void;
}

/** One way by which the answer may come. */
export interface AnswerWay extends AnswerSink {
  /** Whether what has come by it was the rest of the answer, now that it has ended. */
  readonly isWhole: boolean;
  /** Nothing more counts that comes by it. */
  leave(): void;
}

/** What was passed on of the answer's beginning. */
interface Head {
  readonly status: number;
  readonly fields: RawHeaders;
  readonly coding: string;
  /** By which a part of the same can be asked for; null for none. */
  readonly validator: string | null;
  /** What it is of what the server has, where it is a part itself. */
  readonly range: ContentRange | null;
}

/** What is asked for: what the browser wants, as it said; a part, from where it was; all of it, once more. */
type Question = 'first' | 'part' | 'whole';

/** What has come by a way that brings nothing new yet. */
interface Way {
  readonly host: WayHost;
  asks: Question;
  /** Of all of the answer, as far as this way says; null where nobody has said. */
  lengthBytes: number | null;
  /** Of what comes once more: how much is still to be compared. */
  bytesToCompare: number;
  readonly again: Hash;
}

/** Whether a request may be made twice for its answer. */
export function mayRepeat({ method, body }: UpstreamRequest): boolean {
  return method === 'GET' && body === null;
}

/** Whether a lost answer to this request may be gone on with: it may be made twice, and its answer is all of something. */
export function mayGoOn(request: UpstreamRequest): boolean {
  return mayRepeat(request) && valueOf(request.headers, 'range') === null;
}

/**
 * An answer whose way may be lost with the relay, before it has begun or in its middle. It is asked for again then, and goes on exactly where it was: by a part of it, where the server's
 * strong tag says that it is the same bytes; else all of it comes again, is compared as far as it was passed on, by its hash, and passed on from there. What differs, or is shorter, breaks the answer off.
 *
 *     first ──lost──► part ──200──► whole ──same──► on
 *                      │ └─other─► whole    └─other─► broken
 *                      └──206──► on
 *
 * While the relay is silent two ways are open, once: whichever brings what comes next goes on, and the other one is left.
 */
export class BegunAnswer {
  private readonly sink: AnswerSink;
  private readonly validatorOf: (fields: RawHeaders) => string | null;
  /** By the next way. */
  private asks: Question = 'first';
  private head: Head | null = null;
  /** Of all of it; null where nobody has said. */
  private lengthBytes: number | null = null;
  private passedBytes = 0;
  private readonly passed = createHash('sha256');
  private losses = 0;
  private isRaced = false;
  /** Of others nothing counts. */
  private readonly open = new Set<Way>();

  /** @param validatorOf by what of its fields a part may be asked for. Dates are none by default: a relay that codes a picture anew leaves them as they are */
  constructor(sink: AnswerSink, validatorOf = strongTagOf) {
    [this.sink, this.validatorOf] = [sink, validatorOf];
  }

  /** One more way, by which what `fieldsOf` says is asked for. */
  way(host: WayHost): AnswerWay {
    const way: Way = { host, asks: this.asks, lengthBytes: this.lengthBytes, bytesToCompare: 0, again: createHash('sha256') };
    const isOpen = (): boolean => this.open.has(way);
    const isWhole = (): boolean => way.asks === 'first' || (way.bytesToCompare === 0 && (way.lengthBytes === null || this.passedBytes === way.lengthBytes));
    this.open.add(way);
    return {
      informed: (status, fields) => {
        if (isOpen() && this.head === null) this.sink.informed(status, fields);
      },
      started: (status, text, fields) => {
        if (isOpen()) this.started(way, status, text, fields);
      },
      data: (chunk) => (isOpen() ? this.take(way, chunk) : null),
      get isWhole() {
        return isWhole();
      },
      leave: () => void this.open.delete(way),
    };
  }

  /** All that was said to come was passed on, and only the end of it was lost. */
  get isComplete(): boolean {
    return this.head !== null && this.passedBytes === this.lengthBytes;
  }

  /** The only way is lost with the relay. @returns whether the rest is to be asked for, as `fieldsOf` says */
  lost(): boolean {
    this.losses += 1;
    return this.losses <= MAX_LOSSES && this.askRest();
  }

  /** The relay is silent. @returns whether the rest is to be asked for beside it, as `fieldsOf` says; once. Not where only the end is missing */
  race(): boolean {
    if (this.isRaced || this.isComplete) return false;
    this.isRaced = true;
    return this.askRest();
  }

  /** The fields of the request by the next way. What has come without a coding, be it that a relay has taken it away, is asked for without one. */
  fieldsOf(headers: RawHeaders): RawHeaders {
    const { head } = this;
    if (this.asks === 'first' || head === null) return headers;
    if (this.asks === 'part') return partOf(headers, `${this.nextByte(head)}-${head.range === null ? '' : head.range.end - 1}`, head.validator ?? '');
    const fields = withoutConditions(headers);
    return head.coding === '' ? identityOf(fields) : fields;
  }

  private askRest(): boolean {
    const { head } = this;
    if (head === null) return true;
    const mayAskPart = head.coding === '' && head.validator !== null && (this.passedBytes > 0 || head.range !== null);
    // a part has no whole
    const mayAsk = head.status === OK || (head.range !== null && mayAskPart);
    if (!mayAsk || LIVE.test(valueOf(head.fields, 'content-type') ?? '')) return false;
    this.asks = mayAskPart ? 'part' : 'whole';
    return true;
  }

  private started(way: Way, status: number, text: string, fields: RawHeaders): void {
    const { head } = this;
    if (head === null) {
      const range = status === PARTIAL_CONTENT ? contentRangeOf(fields) : null;
      this.head = { status, fields, coding: codingOf(fields), validator: this.validatorOf(fields), range };
      way.lengthBytes = lengthOf(fields) ?? (range && range.end - range.first);
      this.bringsNext(way);
      this.sink.started(status, text, fields);
    } else if (way.asks === 'part' && status === PARTIAL_CONTENT && this.isRest(fields, head)) way.lengthBytes ??= contentRangeOf(fields)?.ofBytes ?? null;
    else if (head.range === null && status === OK && isSameKind(fields, head) && this.isSameLength(lengthOf(fields))) {
      way.asks = 'whole';
      way.bytesToCompare = this.passedBytes;
      way.lengthBytes ??= lengthOf(fields);
    } else if (head.range === null && way.asks === 'part') {
      this.asks = 'whole';
      this.open.delete(way);
      way.host.again();
    } else this.breakOff(way);
  }

  private take(way: Way, chunk: Buffer): Promise<void> | null {
    const known = chunk.subarray(0, way.bytesToCompare);
    if (known.length > 0) {
      way.again.update(known);
      way.bytesToCompare -= known.length;
      if (way.bytesToCompare === 0 && !way.again.digest().equals(this.passed.copy().digest())) return this.breakOff(way);
    }
    const rest = chunk.subarray(known.length);
    if (rest.length === 0) {
      way.host.repeats();
      return null;
    }
    if (way.asks !== 'first' && way.lengthBytes !== null && this.passedBytes + rest.length > way.lengthBytes) return this.breakOff(way);
    this.bringsNext(way);
    this.passedBytes += rest.length;
    this.passed.update(rest);
    return this.sink.data(rest);
  }

  private bringsNext(way: Way): void {
    this.lengthBytes = way.lengthBytes;
    if (this.open.size > 1) way.host.ahead();
  }

  private breakOff(way: Way): null {
    this.open.delete(way);
    way.host.broken();
    return null;
  }

  /** Of what the server has: what is to come next. */
  private nextByte({ range }: Head): number {
    return (range?.first ?? 0) + this.passedBytes;
  }

  /** Whether a part is all that is missing, of the same answer. */
  private isRest(fields: RawHeaders, head: Head): boolean {
    const part = contentRangeOf(fields);
    const tag = valueOf(fields, 'etag');
    const isSame = (tag === null || tag === valueOf(head.fields, 'etag')) && codingOf(fields) === '';
    if (!isSame || part?.first !== this.nextByte(head)) return false;
    if (head.range !== null) return part.end === head.range.end && part.ofBytes === head.range.ofBytes;
    return part.end === part.ofBytes && this.isSameLength(part.ofBytes);
  }

  private isSameLength(bytes: number | null): boolean {
    return bytes === null || (bytes >= this.passedBytes && (this.lengthBytes === null || bytes === this.lengthBytes));
  }
}

/** Of the same kind and in the same coding: the browser reads it by the first fields. */
function isSameKind(fields: RawHeaders, head: Head): boolean {
  return codingOf(fields) === head.coding && valueOf(fields, 'content-type') === valueOf(head.fields, 'content-type');
}
