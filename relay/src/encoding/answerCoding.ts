import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf } from '../../../shared/src/node/http/requestFields.ts';
import { codingOf, isKept, isWholeBody } from '../../../shared/src/node/relay/keptBodies.ts';
import { HAVE_CHARS, type BodyCoding, type Encoding } from '../../../shared/src/relay/wire.ts';
import type { RequestHead } from '../requests/requestHead.ts';
import type { AnswerSink } from './answerSink.ts';
import { MAX_ENCODERS } from './bodyEncoders.ts';
import type { ClientBodies } from './bodyMemory.ts';
import { CodedBody, type CodedBodyHost, type Dictionary } from './codedBody.ts';
import { HeldImage, type HeldImageHost } from './heldImage.ts';
import type { ImageType } from './imageKind.ts';
import { imageTypesFor, isImageAnswer } from './imageAnswers.ts';
import type { ImageCoders } from './imageCoders.ts';
import { Room } from '../../../shared/src/node/reading/room.ts';
import { withServerTags } from './variantTag.ts';

/** A request whose answer is coded. */
export interface CodedRequest extends Pick<CodedBodyHost, 'wanted' | 'broken'> {
  readonly head: RequestHead;
  /** Its latest (`levelOf`). */
  readonly level: () => number;
  /** Whether the carrier has something to carry meanwhile that is as urgent. */
  readonly isBusy: () => boolean;
}

/** What encodes a picture of this answer: this relay's coders, or what others have made before them. */
export type ShareEncoder = (own: HeldImageHost['encode'], request: RequestHead, status: number, answer: RawHeaders) => HeldImageHost['encode'];

/**
 * Of one client: pictures until their bytes have left, in whatever form, as of what their reader does not take all stays here, and not with their server; and bodies that are to be kept, until they are whole, as
 * much of them is here in a few bytes that nobody takes.
 */
const MAX_WHOLE_BYTES = 32 * 1024 * 1024;

/** In what coding answers of one client go over the carrier, where its helper lets the relay choose. */
export class AnswerCoding {
  private readonly coders: ImageCoders | null;
  private readonly bodies: ClientBodies | null;
  private readonly share: ShareEncoder;
  private readonly encoders: Room;
  private readonly whole: Room;

  /**
   * @param coders null where pictures stay as they are
   * @param bodies null where no former ones are kept
   * @param share what relays have in common
   * @param encoders of all clients
   */
  constructor(coders: ImageCoders | null, bodies: ClientBodies | null, share: ShareEncoder = (own) => own, encoders = new Room(MAX_ENCODERS), maxWholeBytes = MAX_WHOLE_BYTES) {
    [this.coders, this.bodies, this.share, this.encoders, this.whole] = [coders, bodies, share, encoders, new Room(maxWholeBytes)];
  }

  /** What is kept has this name now; what is under another one goes. */
  keptUnder(name: string): void {
    this.bodies?.keptUnder(name);
  }

  /** The fields of a request as its server is asked. */
  askedOf(head: RequestHead): string[] {
    return withServerTags(head.fields, imageTypesOf(head).length > 0);
  }

  /** Who takes the body of an answer. @param answer its fields */
  sinkFor(request: CodedRequest, status: number, answer: RawHeaders, sink: AnswerSink): AnswerSink {
    return this.imageSink(request, status, answer, this.bodySink(request, status, answer, sink));
  }

  private imageSink({ head, level, isBusy }: CodedRequest, status: number, answer: RawHeaders, sink: AnswerSink): AnswerSink {
    const types = imageTypesOf(head);
    const { coders, bodies, share, whole } = this;
    if (types.length === 0 || coders?.isThere !== true || !isImageAnswer(status, answer)) return sink;
    const dictionary = bodies && dictionaryOf(head, bodies);
    const isThere = (body: Buffer): boolean => dictionary !== null && body.equals(dictionary.body);
    return new HeldImage(sink, { encode: share((...job) => coders.encode(...job), head, status, answer), held: coders.held, whole, types, level, rate: head.rate, isThere, ...this.variants(head, types), isBusy });
  }

  /** A picture that comes again is not encoded again: it may be the former body of itself then. */
  private variants({ origin, encodings }: RequestHead, types: readonly ImageType[]): Pick<HeldImageHost, 'known' | 'made'> {
    const bodies = encodings.has('keep') ? this.bodies : null;
    return {
      known: (body) => {
        const variant = bodies?.variant(origin, body) ?? null;
        return variant !== null && types.includes(variant.type) ? variant : null;
      },
      made: (body, encoded) => bodies?.encoded(origin, body, encoded),
    };
  }

  private bodySink({ head, wanted, broken }: CodedRequest, status: number, answer: RawHeaders, sink: AnswerSink): AnswerSink {
    const { bodies, encoders, whole } = this;
    const { method, origin, path, fields, encodings } = head;
    if (bodies === null || !isWholeBody(method, fields, status, answer)) return sink;
    const keep = encodings.has('keep') && isKept(answer) ? (body: Buffer): void => bodies.keep(origin, path, body) : null;
    const dictionary = dictionaryOf(head, bodies);
    const isGuessable = codingOf(answer) === '' && isForAnotherSite(fields);
    const coding = isGuessable || (encoders.isHalfTaken && mayBeEndless(fields, answer)) ? null : bodyCodingOf(encodings, dictionary);
    return coding === null && keep === null ? sink : new CodedBody(sink, { coding, dictionary, keep, encoders, gathered: whole, wanted, broken });
  }
}

/**
 * Whether another site has asked for what this user alone is given, in the background: it could guess what that is by how much smaller it becomes with the guess in it (BREACH). Whether that may be compressed is its
 * server's to say.
 */
function isForAnotherSite(request: RawHeaders): boolean {
  const isOfUser = cookieOf(request) !== null || valueOf(request, 'authorization') !== null;
  return isOfUser && valueOf(request, 'sec-fetch-site') === 'cross-site' && valueOf(request, 'sec-fetch-dest') !== 'document';
}

/** Whether an answer may go on for hours, as those do by which scripts hear of news: many of these, of many clients, would keep the encoders from pages. */
function mayBeEndless(request: RawHeaders, answer: RawHeaders): boolean {
  return valueOf(request, 'sec-fetch-dest') === 'empty' && valueOf(answer, 'content-length') === null;
}

/** The smallest that its helper takes. */
function bodyCodingOf(encodings: ReadonlySet<Encoding>, dictionary: Dictionary | null): BodyCoding | null {
  if (dictionary === null && encodings.has('br')) return 'br';
  return encodings.has('zstd') ? 'zstd' : null;
}

/** The first of those that the helper has which is here, too. */
function dictionaryOf({ origin, path, dictionaries, have }: RequestHead, bodies: ClientBodies): Dictionary | null {
  const latest = bodies.latest(origin, path) ?? '';
  for (const hash of [...dictionaries, ...(have.has(latest.slice(0, HAVE_CHARS)) ? [latest] : [])]) {
    const body = bodies.find(origin, hash);
    if (body !== null) return { hash, body };
  }
  return null;
}

function imageTypesOf({ encodings, method, origin, fields }: RequestHead): readonly ImageType[] {
  return encodings.has('images') ? imageTypesFor(method, origin, fields) : [];
}
