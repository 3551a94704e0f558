import { createHash, type Hash } from 'node:crypto';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { codingOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { contentRangeOf, identityOf, lengthOf, partOf, strongTagOf, withoutConditions, type ContentRange } from '../http/partialContent.ts';
import type { ResponseSink, UpstreamRequest } from './fetch.ts';

const [OK, PARTIAL_CONTENT] = [200, 206];
/** Of one answer; a relay that is lost more often is no way to it. */
const MAX_LOSSES = 3;

/** What takes one answer as it comes, but for its end. */
export type AnswerSink = Pick<ResponseSink, 'informed' | 'started' | 'data'>;

/** Who asks for the answer of another way. */
interface BegunAnswerHost {
  /** What has come can not be gone on with: it is to be asked for once more, as `fieldsOf` says then. */
  again(): void;
  /** What comes is not the same answer: nothing more may be passed on. */
  broken(): void;
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
 */
export class BegunAnswer {
  private readonly sink: AnswerSink;
  private readonly host: BegunAnswerHost;
  private readonly validatorOf: (fields: RawHeaders) => string | null;
  private asks: 'first' | 'part' | 'whole' = 'first';
  private head: Head | null = null;
  /** Of all of it; null where nobody has said. */
  private lengthBytes: number | null = null;
  private passedBytes = 0;
  private readonly passed = createHash('sha256');
  /** Of what comes once more: how much is still to be compared. */
  private bytesToCompare = 0;
  private losses = 0;
  /** What takes the answer now: of ways before nothing counts. */
  private current: AnswerSink | null = null;

  /** @param validatorOf by what of its fields a part may be asked for. Dates are none by default: a relay that codes a picture anew leaves them as they are */
  constructor(sink: AnswerSink, host: BegunAnswerHost, validatorOf = strongTagOf) {
    [this.sink, this.host, this.validatorOf] = [sink, host, validatorOf];
  }

  /** Who takes what comes by the next way. */
  way(): AnswerSink {
    const again = createHash('sha256');
    const way: AnswerSink = {
      informed: (status, fields) => {
        if (this.current === way && this.head === null) this.sink.informed(status, fields);
      },
      started: (status, text, fields) => {
        if (this.current === way) this.started(status, text, fields);
      },
      data: (chunk) => (this.current === way ? this.take(chunk, again) : null),
    };
    return (this.current = way);
  }

  /** All that was said to come was passed on, and only the end of it was lost. */
  get isComplete(): boolean {
    return this.head !== null && this.passedBytes === this.lengthBytes;
  }

  /** Whether what has come by this way was the rest of the answer, now that it has ended. */
  get isWhole(): boolean {
    return this.asks === 'first' || (this.bytesToCompare === 0 && (this.lengthBytes === null || this.passedBytes === this.lengthBytes));
  }

  /** The way is lost with the relay. @returns whether the rest is to be asked for, as `fieldsOf` says */
  lost(): boolean {
    this.losses += 1;
    const { head } = this;
    const mayAskPart = head?.coding === '' && head.validator !== null && (this.passedBytes > 0 || head.range !== null);
    if (this.losses > MAX_LOSSES || (head !== null && head.status !== OK && !(head.range !== null && mayAskPart))) return false;
    if (head !== null) this.asks = mayAskPart ? 'part' : 'whole';
    this.bytesToCompare = 0;
    return true;
  }

  /** The fields of the request by the next way. What has come without a coding, be it that a relay has taken it away, is asked for without one. */
  fieldsOf(headers: RawHeaders): RawHeaders {
    const { head } = this;
    if (this.asks === 'first' || head === null) return headers;
    if (this.asks === 'part') return partOf(headers, `${this.nextByte(head)}-${head.range === null ? '' : head.range.end - 1}`, head.validator ?? '');
    const fields = withoutConditions(headers);
    return head.coding === '' ? identityOf(fields) : fields;
  }

  private started(status: number, text: string, fields: RawHeaders): void {
    const { head } = this;
    if (head === null) {
      const range = status === PARTIAL_CONTENT ? contentRangeOf(fields) : null;
      this.head = { status, fields, coding: codingOf(fields), validator: this.validatorOf(fields), range };
      this.lengthBytes = lengthOf(fields) ?? (range && range.end - range.first);
      this.sink.started(status, text, fields);
    } else if (this.asks === 'part' && status === PARTIAL_CONTENT && this.isRest(fields, head)) this.lengthBytes ??= contentRangeOf(fields)?.ofBytes ?? null;
    else if (head.range === null && status === OK && isSameKind(fields, head) && this.isSameLength(lengthOf(fields))) {
      this.asks = 'whole';
      this.bytesToCompare = this.passedBytes;
      this.lengthBytes ??= lengthOf(fields);
    } else if (head.range === null && this.asks === 'part') {
      this.asks = 'whole';
      this.leave(() => this.host.again());
    } else this.leave(() => this.host.broken());
  }

  private take(chunk: Buffer, again: Hash): Promise<void> | null {
    const known = chunk.subarray(0, this.bytesToCompare);
    if (known.length > 0) {
      again.update(known);
      this.bytesToCompare -= known.length;
      if (this.bytesToCompare === 0 && !again.digest().equals(this.passed.copy().digest())) {
        this.leave(() => this.host.broken());
        return null;
      }
    }
    const rest = chunk.subarray(known.length);
    if (rest.length === 0) return null;
    if (this.asks !== 'first' && this.lengthBytes !== null && this.passedBytes + rest.length > this.lengthBytes) {
      this.leave(() => this.host.broken());
      return null;
    }
    this.passedBytes += rest.length;
    this.passed.update(rest);
    return this.sink.data(rest);
  }

  private leave(told: () => void): void {
    this.current = null;
    told();
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
