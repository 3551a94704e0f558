import { constants, type ClientHttp2Stream } from 'node:http2';
import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { cookieOf, withCookie } from '../../../shared/src/node/http/requestFields.ts';
import { carriedFields } from '../../../shared/src/node/relay/carriedFields.ts';
import { LEVEL_FIELD } from '../../../shared/src/relay/wire.ts';
import { asksTheSame, sentFields } from './relayedFields.ts';

/** An answer that the relay sends without having been asked. */
export interface PushedAnswer {
  readonly stream: ClientHttp2Stream;
  /** That the relay has given it. */
  readonly level: number;
  /** What of it is there already: its fields, and those behind its body. */
  readonly head: readonly string[] | null;
  readonly trailers: readonly string[];
}

/** What is promised as an answer. */
export interface PromisedRequest {
  readonly url: string;
  readonly host: string;
  /** End to end. */
  readonly fields: RawHeaders;
}

interface Entry extends PushedAnswer {
  readonly fields: RawHeaders;
  head: readonly string[] | null;
  trailers: readonly string[];
  readonly timer: NodeJS.Timeout;
}

/** More than a page's document names of its own server; each may bring a window of its stream. */
const MAX_PROMISED = 64;
/** What the document names is asked for as soon as the document is read here; what was not by then was promised in vain. */
const UNASKED_MS = 10_000;

/**
 * What the relay pushes: kept until the helper itself would ask for just that, and given as the answer then. Whatever the helper does not want, or has, or does not ask for soon, is reset. So no
 * push can bring anything that was not asked for in the end by the rules of foresight, or by the browser.
 */
export class PushedAnswers {
  /** By URL. */
  private readonly entries = new Map<string, Entry>();
  private readonly isWanted: (request: PromisedRequest) => boolean;
  private readonly unaskedMs: number;
  /** How many were promised, and how many of these asked for. */
  readonly count = { promised: 0, taken: 0 };

  /** @param isWanted whether the helper may ask for it yet: of a host that the relay may see, and not in the browser's cache or asked for already */
  constructor(isWanted: (request: PromisedRequest) => boolean, unaskedMs = UNASKED_MS) {
    this.isWanted = isWanted;
    this.unaskedMs = unaskedMs;
  }

  /** A promise has come (RFC 9113, section 8.4). @param fields of its request */
  promised(stream: ClientHttp2Stream, fields: RawHeaders): void {
    this.count.promised += 1;
    // its close says enough
    stream.on('error', () => undefined);
    const [method, scheme, authority] = [':method', ':scheme', ':authority'].map((name) => valuesOf(fields, name)[0]);
    const url = urlIn(fields);
    const isUrl = (scheme === 'https' || scheme === 'http') && URL.canParse(url) && new URL(url).host === authority;
    const mayKeep = isUrl && method === 'GET' && this.entries.size < MAX_PROMISED && !this.entries.has(url);
    if (!mayKeep || !this.isWanted({ url, host: new URL(url).hostname, fields: carriedFields(fields) })) {
      stream.close(constants.NGHTTP2_CANCEL);
      return;
    }
    const timer = setTimeout(() => {
      stream.close(constants.NGHTTP2_CANCEL);
      this.forget(url, entry);
    }, this.unaskedMs);
    timer.unref();
    const entry: Entry = { fields, stream, level: Number(valuesOf(fields, LEVEL_FIELD)[0]), head: null, trailers: [], timer };
    this.entries.set(url, entry);
    stream.once('push', (_headers, _flags, raw: string[]) => (entry.head = raw));
    stream.once('trailers', (_trailers, _flags, raw: string[]) => (entry.trailers = raw));
    stream.once('close', () => {
      // an empty answer, which Node ends before anybody reads it, is one
      const isWhole = stream.readableEnded && stream.rstCode === constants.NGHTTP2_NO_ERROR && entry.head !== null;
      if (!isWhole) this.forget(url, entry);
    });
  }

  /** With which cookies the relay has asked for this, and else in the same words; null for none. @param headers end to end @returns undefined where it has promised nothing such */
  cookieFor(url: string, headers: RawHeaders): string | null | undefined {
    const entry = this.entries.get(url);
    if (entry === undefined) return undefined;
    const promised = carriedFields(entry.fields);
    const cookie = cookieOf(promised);
    return asksTheSame(sentFields(withCookie(headers, cookie)), promised) ? cookie : undefined;
  }

  /** The answer to this request, given once. */
  take(fields: RawHeaders): PushedAnswer | null {
    const url = urlIn(fields);
    // of what is asked for by https: the browser has turned http: into that, by its list or otherwise
    if (url.startsWith('https:')) this.entries.get(`http${url.slice('https'.length)}`)?.stream.close(constants.NGHTTP2_CANCEL);
    const entry = this.entries.get(url);
    if (entry === undefined) return null;
    this.forget(url, entry);
    if (!asksTheSame(fields, entry.fields)) {
      entry.stream.close(constants.NGHTTP2_CANCEL);
      return null;
    }
    this.count.taken += 1;
    return entry;
  }

  private forget(url: string, entry: Entry): void {
    clearTimeout(entry.timer);
    if (this.entries.get(url) === entry) this.entries.delete(url);
  }
}

function urlIn(fields: RawHeaders): string {
  const [scheme = '', authority = '', path = ''] = [':scheme', ':authority', ':path'].map((name) => valuesOf(fields, name)[0]);
  return `${scheme}://${authority}${path}`;
}
