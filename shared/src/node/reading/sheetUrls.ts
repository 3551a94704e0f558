import { mediaTypeOf } from '../http/mediaType.ts';
import { valuesOf, type RawHeaders } from '../http/rawHeaders.ts';
import { DecodedPeek, type PeekLimits } from './contentDecoding.ts';
import { resolveFetchUrl } from './fetchUrls.ts';

const LIMITS: PeekLimits = { decodedBytes: 1024 * 1024, waitingBytes: 256 * 1024 };
/** What is longer, or has escapes or other letters than those of ASCII, is not read. */
const MAX_NAMED_CHARS = 2_048;
const NAMED = /url\(\s*(["']?)((?!data:)[!#-&*-[\]-~]+)\1\s*\)/gi;
/** Of what it begins with when it stands at an end of what has come. */
const DECLARATION = /([\w-]+)\s*:[^:;{}]*$/;

/** What a declaration of a style sheet names. */
export interface SheetUrl {
  /** As it is asked for. */
  readonly url: string;
  /** In lower case; empty where that is not clear, as behind a `data:` URL. */
  readonly property: string;
}

/**
 * Reads a style sheet as it arrives for what it names by `url()`. Which of that a browser will ask for only the layout tells.
 *
 * @param url of the sheet
 * @param found what has been named, some of it twice
 * @returns null for what is no style sheet
 */
export function readSheetUrls(url: string, status: number, fields: RawHeaders, found: (named: readonly SheetUrl[]) => void): DecodedPeek | null {
  if (status !== 200 || mediaTypeOf(fields) !== 'text/css') return null;
  let rest = '';
  const data = (bytes: Buffer): void => {
    const text = rest + bytes.toString('latin1');
    const named = [...text.matchAll(NAMED)].flatMap(({ index, 2: href = '' }): SheetUrl[] => {
      const asked = resolveFetchUrl(href, url, true);
      const [, property = ''] = DECLARATION.exec(text.slice(Math.max(0, index - MAX_NAMED_CHARS), index)) ?? [];
      return asked === null ? [] : [{ url: asked, property: property.toLowerCase() }];
    });
    if (named.length > 0) found(named);
    rest = text.slice(-MAX_NAMED_CHARS);
  };
  return new DecodedPeek(valuesOf(fields, 'content-encoding').join(', '), { data, ended: () => undefined }, LIMITS);
}
