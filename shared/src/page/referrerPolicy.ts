/** Referrer Policy, section 3. */
export const REFERRER_POLICIES = [
  'no-referrer', 'no-referrer-when-downgrade', 'same-origin', 'origin', 'strict-origin', 'origin-when-cross-origin', 'strict-origin-when-cross-origin', 'unsafe-url',
] as const;
export type ReferrerPolicy = (typeof REFERRER_POLICIES)[number];

/** What a `<meta>` may call them as well (HTML, section 4.2.5.1, "referrer"). */
const FORMER_NAMES: ReadonlyMap<string, string> = new Map([['never', 'no-referrer'], ['default', 'strict-origin-when-cross-origin'], ['always', 'unsafe-url'], ['origin-when-crossorigin', 'origin-when-cross-origin']]);

/** The referrer policy of an attribute; null for none that is known. */
export function referrerPolicyNamed(value: string): ReferrerPolicy | null {
  return REFERRER_POLICIES.find((policy) => policy === value.trim().toLowerCase()) ?? null;
}

/** The same of a `<meta name=referrer>`. */
export function referrerPolicyOfMeta(content: string): ReferrerPolicy | null {
  return referrerPolicyNamed(FORMER_NAMES.get(content.trim().toLowerCase()) ?? content);
}

/** The last one of a list that is known (Referrer Policy, section 8.1); null for none. */
export function referrerPolicyOfList(list: string): ReferrerPolicy | null {
  return list.split(',').map(referrerPolicyNamed).findLast((policy) => policy !== null) ?? null;
}
