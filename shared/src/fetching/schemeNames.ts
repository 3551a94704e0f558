/** The schemes that can be compared (NSF report, section VI): the conventional browser, prioritized fetching (PF), with object reordering (OR), with connection management (CM), all. */
export const SCHEME_NAMES = ['conv', 'pf', 'pf+or', 'pf+cm', 'all'] as const;
export type SchemeName = (typeof SCHEME_NAMES)[number];
