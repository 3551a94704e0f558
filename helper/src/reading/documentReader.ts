import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { CharsetDecoder } from './charsets.ts';
import { DecodedPeek, type PeekLimits } from './contentDecoding.ts';
import type { ContentPolicies } from './contentPolicy.ts';
import { HtmlScanner, type Discovered } from './htmlScanner.ts';

const LIMITS: PeekLimits = { decodedBytes: 8 * 1024 * 1024, waitingBytes: 1024 * 1024 };

/** Gets a copy of a body while it passes; nothing waits for it, and nothing it meets is an error. */
export interface BodyReader {
  write(chunk: Buffer): void;
  /** The body is complete. */
  end(): void;
  /** The body is cut off, or nobody wants to know more. */
  close(): void;
}

/** A document that is read. */
interface ReadPage {
  /** `url` of the answer. */
  readonly navigation: { readonly url: string };
  /** Of its header fields. */
  readonly policies: ContentPolicies;
}

/**
 * Reads a document as it arrives, from the bytes of its body to what it names.
 *
 * @param found what has been named by the last bytes, in its order
 * @returns null for what is no HTML page, or is under policies under which nothing is certain
 */
export function readDocument({ navigation: { url }, policies }: ReadPage, status: number, response: RawHeaders, found: (discovered: readonly Discovered[]) => void): BodyReader | null {
  const contentType = valueOf(response, 'content-type');
  if (status !== 200 || !/^text\/html\s*(?:;|$)/i.test(contentType?.trim() ?? '')) return null;
  if (!policies.isClear) return null;
  const codings = valuesOf(response, 'content-encoding').join(', ');
  const text = new CharsetDecoder('html', contentType);
  let scanner: HtmlScanner | null = null;
  const scan = (characters: string): void => {
    if (text.encoding === null) return;
    scanner ??= new HtmlScanner({ url, isUtf8: text.encoding === 'utf-8', policies });
    found(scanner.write(characters));
  };
  return new DecodedPeek(codings, { data: (bytes) => scan(text.write(bytes)), ended: (isWhole) => (isWhole ? scan(text.end()) : undefined) }, LIMITS);
}
