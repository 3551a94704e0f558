/** How the extension is in the browser, and what is there beside it. */
export interface SchemeSetup {
  /** Null for a stock browser. */
  readonly extension: 'unpacked' | 'managed' | null;
  readonly hasHelper: boolean;
  /** The helper has seen the page once before, in a browser of its own, which is gone with its cache. */
  readonly isRepeatVisit: boolean;
  /** The scheme in which the helper fetches; null for the browser's own connections. */
  readonly connections: 'conv' | 'pf' | 'pf+or' | 'pf+cm' | 'all' | null;
}

const STOCK: SchemeSetup = { extension: null, hasHelper: false, isRepeatVisit: false, connections: null };
const MANAGED: SchemeSetup = { ...STOCK, extension: 'managed' };
const TUNNEL: SchemeSetup = { ...MANAGED, hasHelper: true };

/** What can be compared. */
export const SCHEMES = {
  conv: STOCK,
  pf: { ...STOCK, extension: 'unpacked', hasHelper: true },
  'pf-managed': MANAGED,
  'pf-repeat': { ...TUNNEL, isRepeatVisit: true },
  'pf-tunnel': { ...TUNNEL, connections: 'pf' },
  'pf+or': { ...TUNNEL, connections: 'pf+or' },
  'pf+cm': { ...TUNNEL, connections: 'pf+cm' },
  all: { ...TUNNEL, connections: 'all' },
} as const satisfies Record<string, SchemeSetup>;

export type SchemeKind = keyof typeof SCHEMES;
export const SCHEME_KINDS = Object.keys(SCHEMES) as [SchemeKind, ...SchemeKind[]];

export function setupOf(kind: SchemeKind): SchemeSetup {
  return SCHEMES[kind];
}
