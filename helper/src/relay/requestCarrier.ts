import type { ClientHttp2Stream } from 'node:http2';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { PushedAnswer } from './pushedAnswers.ts';

/** What a relayed connection needs of the carrier (docs/relay.md). */
export interface RequestCarrier {
  readonly isOpen: boolean;
  /** Of this machine; empty when it is closed. */
  readonly localAddress: string;
  /**
   * Makes a stream.
   *
   * @param fields names and values, those of HTTP/2's own first
   * @param endStream whether there is no body
   * @throws when the carrier takes none any more
   */
  request(fields: readonly string[], endStream: boolean): ClientHttp2Stream;
  /** What the relay has promised as the answer to just this request, which nobody else has taken; null for nothing. */
  takePushed(fields: readonly string[]): PushedAnswer | null;
  /** As `PushedAnswers.cookieFor`. */
  promisedCookie(url: string, headers: RawHeaders): string | null | undefined;
  /** The relay is silent for so long that the direct way is worth more, where it works. */
  readonly isSilent: boolean;
  /** The direct way has worked while the relay was silent. */
  overtaken(): void;
  /** Called each time that the relay has become silent; says whether the direct way is tried. @returns to be called when nobody wants to know any more */
  onLate(late: () => boolean): () => void;
  /** This server is likely to be asked soon. */
  connect(origin: string): void;
  /** A stream has another level now. */
  rank(stream: number, level: number): void;
  /** Called once, when it is closed; before its streams are told. @returns to be called when nobody wants to know any more */
  onClosed(closed: () => void): () => void;
}
