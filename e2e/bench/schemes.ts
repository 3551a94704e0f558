/** How the extension is in the browser, and what is there beside it. */
export interface SchemeSetup {
  /** Null for a stock browser. */
  readonly extension: 'unpacked' | 'managed' | null;
  readonly hasHelper: boolean;
  /** The helper has seen the page once before, in a browser of its own, which is gone with its cache. */
  readonly isRepeatVisit: boolean;
}

/** What can be compared. */
export const SCHEMES = {
  conv: { extension: null, hasHelper: false, isRepeatVisit: false },
  pf: { extension: 'unpacked', hasHelper: true, isRepeatVisit: false },
  'pf-managed': { extension: 'managed', hasHelper: false, isRepeatVisit: false },
  'pf-repeat': { extension: 'managed', hasHelper: true, isRepeatVisit: true },
} as const satisfies Record<string, SchemeSetup>;

export type SchemeKind = keyof typeof SCHEMES;
export const SCHEME_KINDS = Object.keys(SCHEMES) as [SchemeKind, ...SchemeKind[]];

export function setupOf(kind: SchemeKind): SchemeSetup {
  return SCHEMES[kind];
}
