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
  const [full, origin] = [`${from.origin}${from.pathname}${from.search}`, `${from.origin}/`];
  const isSameOrigin = from.origin === to.origin;
  const isDowngrade = from.protocol === 'https:' && to.protocol !== 'https:';
  switch (policy) {
    case 'no-referrer':
      return null;
    case 'no-referrer-when-downgrade':
      return isDowngrade ? null : full;
    case 'same-origin':
      return isSameOrigin ? full : null;
    case 'origin':
      return origin;
    case 'strict-origin':
      return isDowngrade ? null : origin;
    case 'origin-when-cross-origin':
      return isSameOrigin ? full : origin;
    case 'unsafe-url':
      return full;
    default:
      return isSameOrigin ? full : isDowngrade ? null : origin;
  }
}
