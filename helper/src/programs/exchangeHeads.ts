import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import { endToEnd, valueOf, valuesOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { authenticatesConnection } from '../http/connectionAuthentication.ts';
import type { MessageHead } from '../http/messageHead.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';

/** In origin form (RFC 9112, section 3.2.1): to the server itself. */
const REQUEST_LINE = /^GET (\/[!-~]*) HTTP\/1\.1$/;
const STATUS_LINE = /^HTTP\/1\.1 ([2-5]\d\d) /;
/** Without a body, whatever they say (RFC 9112, section 6.3). */
const EMPTY: ReadonlySet<string> = new Set(['204', '304']);
/** What makes of a request, or of what follows it, something else than one without a body and its answer. */
const OTHER_REQUEST = ['content-length', 'transfer-encoding', 'upgrade', 'expect'];

/** An answer, as far as it is to be followed. */
export interface FollowedAnswer {
  readonly status: number;
  readonly lengthBytes: number;
}

/** A program's request, so that it can be made again for parts of its answer; null for one that is not followed. @param origin where its connection goes */
export function followedRequest({ startLine, fields }: MessageHead, origin: string): UpstreamRequest | null {
  const path = REQUEST_LINE.exec(startLine)?.[1];
  const isOther = OTHER_REQUEST.some((name) => valuesOf(fields, name).length > 0) || authenticatesConnection(fields);
  if (path === undefined || valueOf(fields, 'host') === null || isOther) return null;
  return { method: 'GET', origin, path, headers: endToEnd(fields), body: null, browser: null, fetchClass: FetchClass.layout, index: 0, bytes: 0, isForeseen: false };
}

/** What the head of an answer says of its body; null where that has no length, or another message follows first (1xx). */
export function followedAnswer({ startLine, fields }: MessageHead): FollowedAnswer | null {
  const status = STATUS_LINE.exec(startLine)?.[1];
  if (status === undefined || valuesOf(fields, 'transfer-encoding').length > 0) return null;
  const lengthBytes = EMPTY.has(status) ? 0 : lengthOf(fields);
  return lengthBytes === null ? null : { status: Number(status), lengthBytes };
}
