import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** Of layout files for which a browser has no word: over HTTP/1.1 Chromium has none. */
const LAYOUT = 1;
const FIRST = 0;

/**
 * The browser's own word for how soon it wants an answer (RFC 9218, section 4.1), by which layout files go: it knows what
 * waits for a font or a script of the page's end. All style sheets are first: one that is for paper now is for the screen
 * as soon as it has come (`media=print onload`), and names fonts.
 *
 * @param fields of the request
 * @param expected what a browser would say of what it has not asked for yet; null for nothing
 */
export function urgencyOf(fields: RawHeaders, expected: string | null = null): number {
  if (valueOf(fields, 'accept')?.startsWith('text/css') === true) return FIRST;
  const said = /(?:^|,)\s*u=(\d)\s*(?:$|,)/.exec(valueOf(fields, 'priority') ?? expected ?? '')?.[1];
  return said === undefined ? LAYOUT : Number(said);
}
