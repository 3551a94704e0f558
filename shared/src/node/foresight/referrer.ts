/** Of what is longer a browser names the origin alone (Referrer Policy, section 8.3, step 6). */
const MAX_REFERRER_CHARS = 4_096;

/**
 * The Referer field that a browser sends (Referrer Policy, section 8.3).
 *
 * @param referrer URL of what asks: the document, or the style sheet for what it names
 * @param policy in lower case; null or unknown for the default, strict-origin-when-cross-origin
 * @returns null for none
 */
export function refererFor(referrer: string, target: string, policy: string | null): string | null {
  const from = new URL(referrer);
  const to = new URL(target);
  const [whole, origin] = [`${from.origin}${from.pathname}${from.search}`, `${from.origin}/`];
  const full = whole.length > MAX_REFERRER_CHARS ? origin : whole;
  const isSameOrigin = from.origin === to.origin;
  const isDowngrade = from.protocol === 'https:' && to.protocol !== 'https:';
  const referers = new Map([
    ['no-referrer', null],
    ['no-referrer-when-downgrade', isDowngrade ? null : full],
    ['same-origin', isSameOrigin ? full : null],
    ['origin', origin],
    ['strict-origin', isDowngrade ? null : origin],
    ['origin-when-cross-origin', isSameOrigin ? full : origin],
    ['unsafe-url', full],
  ]);
  const referer = referers.get(policy ?? '');
  return referer === undefined ? (isSameOrigin ? full : isDowngrade ? null : origin) : referer;
}
