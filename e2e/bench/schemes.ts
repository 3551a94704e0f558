/** How the extension is in the browser, and what is there beside it. */
export interface SchemeSetup {
  /** Null for a stock browser. */
  readonly extension: 'unpacked' | 'managed' | null;
  readonly hasHelper: boolean;
  /** The helper has seen the page once before, in a browser of its own, which is gone with its cache. */
  readonly isRepeatVisit: boolean;
  /** The scheme in which the helper fetches; null for the browser's own connections. */
  readonly connections: 'conv' | 'pf' | 'pf+or' | 'pf+cm' | 'all' | null;
  /** Whether the browser trusts the helper's certificates, so that connections of https: are intercepted. */
  readonly intercepts: boolean;
  /** Whose connections a driver on the browser's side protects: all of the browser's, or those of the helper, which registers itself. Needs root. */
  readonly driver: 'browser' | 'helper' | null;
}

const STOCK: SchemeSetup = { extension: null, hasHelper: false, isRepeatVisit: false, connections: null, intercepts: false, driver: null };
const MANAGED: SchemeSetup = { ...STOCK, extension: 'managed' };
const TUNNEL: SchemeSetup = { ...MANAGED, hasHelper: true };

/** What can be compared. */
export const SCHEMES = {
  conv: STOCK,
  'conv-driver': { ...STOCK, driver: 'browser' },
  pf: { ...STOCK, extension: 'unpacked', hasHelper: true },
  'pf-managed': MANAGED,
  'pf-repeat': { ...TUNNEL, isRepeatVisit: true },
  'pf-tunnel': { ...TUNNEL, connections: 'pf' },
  'pf+or': { ...TUNNEL, connections: 'pf+or' },
  'pf+cm': { ...TUNNEL, connections: 'pf+cm' },
  all: { ...TUNNEL, connections: 'all' },
  'all-driver': { ...TUNNEL, connections: 'all', driver: 'helper' },
  'all-repeat': { ...TUNNEL, connections: 'all', isRepeatVisit: true },
  'all-intercept': { ...TUNNEL, connections: 'all', intercepts: true },
  'all-intercept-repeat': { ...TUNNEL, connections: 'all', intercepts: true, isRepeatVisit: true },
} as const satisfies Record<string, SchemeSetup>;

export type SchemeKind = keyof typeof SCHEMES;
export const SCHEME_KINDS = Object.keys(SCHEMES) as [SchemeKind, ...SchemeKind[]];

export function setupOf(kind: SchemeKind): SchemeSetup {
  return SCHEMES[kind];
}
