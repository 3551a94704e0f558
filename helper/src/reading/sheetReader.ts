import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { CharsetDecoder } from './charsets.ts';
import { DecodedPeek, type PeekLimits } from './contentDecoding.ts';
import type { BodyReader } from './documentReader.ts';
import { sheetImports } from './sheetImports.ts';

/** Imports stand at the very beginning of a sheet. */
const HEAD_CHARS = 16 * 1024;
const LIMITS: PeekLimits = { decodedBytes: 8 * HEAD_CHARS, waitingBytes: 256 * 1024 };

/**
 * Reads the beginning of a style sheet as it arrives.
 *
 * @param url of the answer
 * @param found URLs of the sheets that it imports, once
 * @returns null for what is no style sheet
 */
export function readSheet(url: string, status: number, response: RawHeaders, found: (imports: readonly string[]) => void): BodyReader | null {
  const contentType = valueOf(response, 'content-type');
  if (status !== 200 || !/^text\/css\s*(?:;|$)/i.test(contentType?.trim() ?? '')) return null;
  const text = new CharsetDecoder('css', contentType);
  let css = '';
  const take = (more: string, isEnd: boolean): void => {
    css += more;
    if (css.length < HEAD_CHARS && !isEnd) return;
    const imports = sheetImports(css.slice(0, HEAD_CHARS), url);
    if (imports.length > 0) found(imports);
    // nothing comes after that
    peek.close();
  };
  const peek = new DecodedPeek(
    valuesOf(response, 'content-encoding').join(', '),
    { data: (bytes) => take(text.write(bytes), false), ended: (isWhole) => (isWhole ? take(text.end(), true) : undefined) },
    LIMITS,
  );
  return peek;
}
