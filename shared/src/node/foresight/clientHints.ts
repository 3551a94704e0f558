import { pairsOf, valueOf, valuesOf, type RawHeaders } from '../http/rawHeaders.ts';

/** What Chromium 156 tells every server that is potentially trustworthy. */
const DEFAULT_HINTS: readonly string[] = ['sec-ch-ua', 'sec-ch-ua-mobile', 'sec-ch-ua-platform'];
/** How wide an image will be, which the layout tells: of no other request. */
const OF_IMAGES: readonly string[] = ['width', 'sec-ch-width'];
/** Of the network, as measured up to that moment. */
export const MEASURED_HINTS: ReadonlySet<string> = new Set(['rtt', 'downlink', 'ect']);
/** The rest of what it tells a server that has asked for it (`Accept-CH`); other names that servers ask for are not heeded. */
const ASKED_FOR: ReadonlySet<string> = new Set([
  ...OF_IMAGES, 'device-memory', 'dpr', 'viewport-width', ...MEASURED_HINTS, 'sec-ch-device-memory', 'sec-ch-dpr', 'sec-ch-viewport-width', 'sec-ch-viewport-height',
  'sec-ch-ua-arch', 'sec-ch-ua-bitness', 'sec-ch-ua-form-factors', 'sec-ch-ua-full-version', 'sec-ch-ua-full-version-list', 'sec-ch-ua-model', 'sec-ch-ua-platform-version', 'sec-ch-ua-wow64',
  'sec-ch-prefers-color-scheme', 'sec-ch-prefers-reduced-motion', 'sec-ch-prefers-reduced-transparency',
]);

/** Longer fields exist only to cost time, as each object of a page is held against them: of what they say all may be so. */
const MAX_FIELD_CHARS = 16 * 1024;

/** Names of the hints (Client Hints Infrastructure) of a page's request that Chromium gives its server alone: it goes on with them for the page's objects there. */
export function ownHints(request: RawHeaders): string[] {
  return pairsOf(request).map(([name]) => name.toLowerCase()).filter((name) => isHint(name) && !DEFAULT_HINTS.includes(name));
}

/** @param name in lower case */
export function isHint(name: string): boolean {
  return ASKED_FOR.has(name) || name.startsWith('sec-ch-');
}

/**
 * Whether a page's server asks by its answer for what only the browser knows: hints that the request for the page did
 * not have. Chromium gives them with all that it asks of that server from then on.
 *
 * @param isOfImage whether by the request for an image
 */
export function asksForHints(request: RawHeaders, answer: RawHeaders, isOfImage: boolean): boolean {
  const asked = valuesOf(answer, 'accept-ch').join(',');
  if (asked.length > MAX_FIELD_CHARS) return true;
  const names = asked.split(',').map((name) => name.trim().toLowerCase());
  return names.some((name) => ASKED_FOR.has(name) && (isOfImage || !OF_IMAGES.includes(name)) && valueOf(request, name) === null);
}

/** Of a Permissions-Policy (a dictionary of Structured Fields): who is given a hint. Lists have none in them, so that one without an end is read to the next, and not to the end for each. */
const HINT_POLICY = /(?:^|,)\s*ch-[\w-]+\s*=\s*(\([^()]*\)|[^,;]*)/gi;

/**
 * Whether a page's answer says by Permissions-Policy who is given hints otherwise than by default (Client Hints
 * Infrastructure, section 3.2): its own server, or others, of whom nobody else knows then what they are given.
 */
export function delegatesHints(answer: RawHeaders, isCrossOrigin: boolean): boolean {
  const policy = valuesOf(answer, 'permissions-policy').join(',');
  if (policy.length > MAX_FIELD_CHARS) return true;
  const given = [...policy.matchAll(HINT_POLICY)].map(([, whom = '']) => whom);
  return isCrossOrigin ? given.length > 0 : given.some((whom) => !/\*|\bself\b/.test(whom));
}
