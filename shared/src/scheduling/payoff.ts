import { NEAR_MS, type LinkEstimate } from '../estimation/link.ts';

/** A page that is all there after this time is not worth putting in order: a hold takes time of its own. */
const SOON_MS = 250;
/** What a page may ask for at a stroke: some eighty images. */
const PAGE_BYTES = 600_000;
/** A link that was fast is slow when it seems so many times slower. */
const SLOWER = 4;
/** When nothing was asked for in this time no page is being loaded. */
export const PAGE_QUIET_MS = 2_000;

function isSoonThere(bytes: number, { rateBitsPerSecond }: LinkEstimate): boolean {
  return (bytes * 8 * 1000) / rateBitsPerSecond < SOON_MS;
}

/**
 * Whether a link is so slow that an order of requests, and connections of the helper's, gain more than they cost: a
 * page's images are not all there before their order can matter (docs/adr/0018).
 *
 * @param didPay what was said before: few pages keep a fast link busy, so its estimate sinks while somebody reads
 */
export function doesHelpPay(link: LinkEstimate, didPay: boolean): boolean {
  return !isSoonThere(didPay ? PAGE_BYTES : PAGE_BYTES / SLOWER, link);
}

/** What a page can show of a link. */
export const LINK_VERDICTS = ['fast', 'slow'] as const;
export type LinkVerdict = (typeof LINK_VERDICTS)[number];

/** What a slow link brings in half a second at most. */
const HALF_SECOND_BYTES = (PAGE_BYTES / SLOWER / SOON_MS) * 500;

/**
 * What transfers have shown of a link, for one who remembers it: only what is clear, whatever was said before.
 *
 * @param bytes that have come: of a near link a few of them tell of server and browser
 * @returns null where it is neither
 */
export function verdictOf(link: LinkEstimate, bytes: number): LinkVerdict | null {
  if (!doesHelpPay(link, true)) return 'fast';
  const isClear = link.rttMs > NEAR_MS || bytes >= HALF_SECOND_BYTES;
  return isClear && doesHelpPay(link, false) ? 'slow' : null;
}
