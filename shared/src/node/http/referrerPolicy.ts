const POLICIES: ReadonlySet<string> = new Set([
  'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin', 'strict-origin-when-cross-origin', 'unsafe-url',
]);
/** What a `<meta>` may call them as well (HTML, section 4.2.5.1, "referrer"). */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['never', 'no-referrer'], ['default', 'strict-origin-when-cross-origin'], ['always', 'unsafe-url'], ['origin-when-crossorigin', 'origin-when-cross-origin']]);

/** The referrer policy of an attribute, in lower case; null for none that is known. */
export function referrerPolicyNamed(value: string): string | null {
  const policy = value.trim().toLowerCase();
  return POLICIES.has(policy) ? policy : null;
}

/** The same of a `<meta name=referrer>`. */
export function referrerPolicyOfMeta(content: string): string | null {
  return referrerPolicyNamed(FORMER_NAMES.get(content.trim().toLowerCase()) ?? content);
}

/** The last one of a list that is known (Referrer Policy, section 8.1); null for none. */
export function referrerPolicyOfList(list: string): string | null {
  return list.split(',').map(referrerPolicyNamed).findLast((policy) => policy !== null) ?? null;
}
