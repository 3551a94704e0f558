import { referrerPolicyNamed, referrerPolicyOfMeta } from '../../../shared/src/page/referrerPolicy.ts';
import { MAX_URL_CHARS, type PointedLink } from '../../../shared/src/protocol/content.ts';
import { withoutFragment } from '../urls/imageUrls.ts';

export type LinkElement = HTMLAnchorElement | HTMLAreaElement;

/** What of a link decides what following it would ask for. */
export type LinkFacts = Readonly<Pick<LinkElement, 'href' | 'target' | 'rel' | 'referrerPolicy'>> & {
  readonly isDownload: boolean;
  /** ARIA's. */
  readonly role: string | null;
};

export interface DocumentFacts {
  readonly url: string;
  /** What its `<meta name=referrer>` say. */
  readonly referrerPolicies: readonly string[];
  /** The browser prepares its links by rules of the page's own. */
  readonly hasSpeculationRules: boolean;
}

/** Where a link opens a page of a window; other names may be those of frames. */
const WINDOWS: ReadonlySet<string> = new Set(['', '_self', '_top', '_parent', '_blank']);
/** Sites mark so what nobody but a person should follow: mostly, links that do something. */
const NOT_FOLLOWED = 'nofollow';

/**
 * What there is to say of a link that the pointer is on; null for one to no other page of the web.
 *
 * @param isLikely whether it will be followed, by what the pointer does
 */
export function pointedLink(link: LinkFacts, { url: documentUrl, referrerPolicies, hasSpeculationRules }: DocumentFacts, isLikely: boolean): PointedLink | null {
  const [page, url] = [withoutFragment(documentUrl), withoutFragment(link.href)];
  if (!/^https?:/.test(url) || url === page || Math.max(url.length, page.length) > MAX_URL_CHARS) return null;
  const relations = link.rel.toLowerCase().split(/\s+/);
  const isPage = !link.isDownload && link.role !== 'button' && WINDOWS.has(link.target.toLowerCase()) && !relations.includes(NOT_FOLLOWED);
  // which of several counts depends on the order in which they came
  const ofDocument = referrerPolicies.length === 0 ? null : referrerPolicies.length === 1 ? (referrerPolicyOfMeta(referrerPolicies[0] ?? '') ?? undefined) : undefined;
  const ofLink = relations.includes('noreferrer') ? 'no-referrer' : referrerPolicyNamed(link.referrerPolicy);
  const referrerPolicy = ofLink ?? ofDocument;
  const isClear = referrerPolicy !== undefined && !hasSpeculationRules;
  return { page, url, isLikely: isLikely && isPage && isClear, referrerPolicy: referrerPolicy ?? null };
}
