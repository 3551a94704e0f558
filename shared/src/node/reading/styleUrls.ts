import { mediaTypeOf } from '../http/mediaType.ts';
import { valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import type { Room } from './room.ts';
import { DecodedPeek, type PeekLimits } from './contentDecoding.ts';
import { resolveFetchUrl } from './fetchUrls.ts';

const LIMITS: PeekLimits = { decodedBytes: 1024 * 1024, waitingBytes: 256 * 1024 };
const STYLED: ReadonlySet<string> = new Set(['text/css', 'text/html']);
/** What is longer, or has escapes or other letters than those of ASCII, is not read. */
const MAX_NAMED_CHARS = 2_048;
const NAMED = /url\(\s*(["']?)((?!data:)[!#-&*-[\]-~]+)\1\s*\)/gi;
/** No property has a longer name. */
const MAX_PROPERTY_CHARS = 64;

/** What a declaration names. */
export interface StyleUrl {
  /** As it is asked for. */
  readonly url: string;
  /** In lower case; empty where that is not clear, as behind a `data:` URL. */
  readonly property: string;
}

/**
 * Reads a style sheet, or the styles of a document, as it arrives for what it names by `url()`. Which of that a browser will ask for only the layout tells.
 *
 * @param url of the sheet, or the document
 * @param found what has been named by the last bytes
 * @param room as `DecodedPeek` has it
 * @returns null for what is neither
 */
export function readStyleUrls(url: string, status: number, fields: RawHeaders, found: (named: readonly StyleUrl[]) => void, room?: Room): DecodedPeek | null {
  if (status !== 200 || !STYLED.has(mediaTypeOf(fields))) return null;
  let rest = '';
  const data = (bytes: Buffer): void => {
    const text = rest + bytes.toString('latin1');
    const named = [...text.matchAll(NAMED)].flatMap(({ index, 0: all, 2: href = '' }): StyleUrl[] => {
      // it was read before, with what stands before it
      if (index + all.length <= rest.length) return [];
      const asked = resolveFetchUrl(href, url, true);
      return asked === null ? [] : [{ url: asked, property: propertyOf(text.slice(Math.max(0, index - MAX_NAMED_CHARS), index)) }];
    });
    if (named.length > 0) found(named);
    // what is named, and what stands before it
    rest = text.slice(-2 * MAX_NAMED_CHARS);
  };
  return new DecodedPeek(valuesOf(fields, 'content-encoding').join(', '), { data, ended: () => undefined }, LIMITS, room);
}

/** @param before what stands before a value of a declaration */
function propertyOf(before: string): string {
  const begin = Math.max(before.lastIndexOf(';'), before.lastIndexOf('{'), before.lastIndexOf('}')) + 1;
  const name = before.slice(begin).split(':', 1)[0]?.trimEnd().slice(-MAX_PROPERTY_CHARS);
  return (/[\w-]+$/.exec(name ?? '')?.[0] ?? '').toLowerCase();
}
