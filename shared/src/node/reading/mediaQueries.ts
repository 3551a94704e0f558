/**
 * Media query lists (Media Queries 4, section 3), as far as they can be judged without knowing the window: only their
 * media types are read.
 */

const SIMPLE = /^(?:only\s+)?(?:all|screen)$/;
/** A type that a screen is not, in every condition; `not print` is none of these. */
const OTHER_TYPE = /^(?:only\s+)?(?:print|speech|aural|braille|embossed|handheld|projection|tty|tv)(?=$|\s)/;

/**
 * Whether the list is true on every screen: it is empty, or one of its queries is `all` or `screen` without a
 * condition.
 */
export function matchesEveryScreen(media: string): boolean {
  const queries = queriesOf(media);
  return queries.length === 0 || queries.some((query) => SIMPLE.test(query));
}

/** Whether there may be a screen on which the list is true. */
export function canMatchScreen(media: string): boolean {
  const queries = queriesOf(media);
  return queries.length === 0 || queries.some((query) => query !== 'not all' && query !== 'not screen' && !OTHER_TYPE.test(query));
}

/**
 * A comma inside brackets does not divide a query, but what is in brackets is never a type; so it does no harm here.
 */
function queriesOf(media: string): string[] {
  const text = media.trim().toLowerCase();
  return text === '' ? [] : text.split(',').map((query) => query.trim().replace(/\s+/g, ' '));
}
