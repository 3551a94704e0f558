import { isAttachment, mediaTypeOf } from '../http/mediaType.ts';
import { valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { CharsetDecoder, type TextKind } from './charsets.ts';
import { DecodedPeek, type PeekLimits } from './contentDecoding.ts';
import type { ContentPolicies } from './contentPolicy.ts';
import type { Room } from './room.ts';
import { HtmlScanner, type Discovered } from './htmlScanner.ts';
import { sheetImports } from './sheetImports.ts';

const DOCUMENT_LIMITS: PeekLimits = { decodedBytes: 8 * 1024 * 1024, waitingBytes: 1024 * 1024 };
/** Imports stand at the very beginning of a sheet. */
const SHEET_CHARS = 16 * 1024;
const SHEET_LIMITS: PeekLimits = { decodedBytes: 8 * SHEET_CHARS, waitingBytes: 256 * 1024 };

/**
 * Reads a document as it arrives, from the bytes of its body to what it names.
 *
 * @param url of the answer
 * @param policies of its header fields
 * @param found what has been named by the last bytes, in its order; `isWhole` once, at the end of a document that was
 * read all through
 * @param room as `DecodedPeek` has it
 * @returns null for what is no HTML page, or is kept as a file, as nobody shows what it names and its server may not answer for it, or is
 * under policies under which nothing is certain
 */
export function readDocument(url: string, policies: ContentPolicies, status: number, response: RawHeaders, found: (discovered: readonly Discovered[], isWhole: boolean) => void, room?: Room): DecodedPeek | null {
  if (!policies.isClear || isAttachment(response)) return null;
  let scanner: HtmlScanner | null = null;
  return readText('html', status, response, DOCUMENT_LIMITS, room, (characters, encoding, isEnd) => {
    if (encoding === null) return;
    scanner ??= new HtmlScanner({ url, isUtf8: encoding === 'utf-8', policies, links: valuesOf(response, 'link') });
    const discovered = scanner.write(characters);
    found(discovered, isEnd && scanner.hasReadAll);
  });
}

/**
 * Reads the beginning of a style sheet as it arrives.
 *
 * @param url of the answer
 * @param found URLs of the sheets that it imports, once
 * @param room as `DecodedPeek` has it
 * @returns null for what is no style sheet
 */
export function readSheet(url: string, status: number, response: RawHeaders, found: (imports: readonly string[]) => void, room?: Room): DecodedPeek | null {
  let css = '';
  const peek = readText('css', status, response, SHEET_LIMITS, room, (characters, _encoding, isEnd) => {
    css += characters;
    if (css.length < SHEET_CHARS && !isEnd) return;
    const imports = sheetImports(css.slice(0, SHEET_CHARS), url);
    if (imports.length > 0) found(imports);
    // nothing comes after that
    peek?.close();
  });
  return peek;
}

/** @param take the next characters, and the encoding once it is clear; the last ones of a body that is whole */
function readText(kind: TextKind, status: number, response: RawHeaders, limits: PeekLimits, room: Room | undefined, take: (characters: string, encoding: string | null, isEnd: boolean) => void): DecodedPeek | null {
  if (status !== 200 || mediaTypeOf(response) !== `text/${kind}`) return null;
  const text = new CharsetDecoder(kind, valueOf(response, 'content-type'));
  const pass = (characters: string, isEnd: boolean): void => take(characters, text.encoding, isEnd);
  const sink = { data: (bytes: Buffer) => pass(text.write(bytes), false), ended: (isWhole: boolean) => isWhole && pass(text.end(), true) };
  return new DecodedPeek(valuesOf(response, 'content-encoding').join(', '), sink, limits, room);
}
