import type { PartName } from '../../shared/src/parts.ts';

/**
 * What is known of a page when it is measured. `first`: nothing. `second`: the helper has seen it in another browser, which is gone with its cache.
 * `warm`: so has the browser, which has gone on running. `again`: the browser alone, and it loads the page past its cache, as the extension has it for its user (*Measure this page*). `journey`: several pages of a site, one after the other, each by a link of the one before.
 */
export type VisitKind = 'first' | 'second' | 'warm' | 'again' | 'journey';

/** How a helper uses a relay: tunnels to servers, or requests that the relay makes. */
export const RELAY_MODES = ['tunnel', 'terminated'] as const;
export type RelayMode = (typeof RELAY_MODES)[number];

/** How the extension is in the browser, and what is there beside it. */
export interface SchemeSetup {
  readonly browser: 'chromium' | 'firefox';
  /** Whether the extension is in the browser: installed by policy in Chromium, as an add-on in Firefox. */
  readonly hasExtension: boolean;
  readonly hasHelper: boolean;
  readonly visit: VisitKind;
  /** Whether the browser's requests go by the helper. */
  readonly connections: boolean;
  /** Parts of the helper that are left out; only the benchmark's bundle of it (dist/bench) can. */
  readonly partsOff: readonly PartName[];
  /** Whether the browser trusts the helper's certificates, so that connections of https: are intercepted. */
  readonly intercepts: boolean;
  /** Whether a driver runs on the browser's side. Needs root. */
  readonly hasDriver: boolean;
  /** Of the relay behind the link; null where the helper has none. */
  readonly relay: RelayMode | null;
  /** Whether the helper's memory has the network as one that was fast, from before the browser was started. */
  readonly isNetworkKnown: boolean;
}

const STOCK: SchemeSetup = { browser: 'chromium', hasExtension: false, hasHelper: false, visit: 'first', connections: false, partsOff: [], intercepts: false, hasDriver: false, relay: null, isNetworkKnown: false };
const MANAGED: SchemeSetup = { ...STOCK, hasExtension: true };
const ALL: SchemeSetup = { ...MANAGED, hasHelper: true, connections: true };
const INTERCEPTING: SchemeSetup = { ...ALL, intercepts: true };
const RELAYED: SchemeSetup = { ...INTERCEPTING, relay: 'terminated' };

/** What can be compared. */
export const SCHEMES = {
  conv: STOCK,
  'conv-driver': { ...STOCK, hasDriver: true },
  'pf-managed': MANAGED,
  'pf-tunnel': { ...ALL, partsOff: ['reordering', 'connectionManagement', 'foresight'] },
  'pf+or': { ...ALL, partsOff: ['connectionManagement', 'foresight'] },
  'pf+cm': { ...ALL, partsOff: ['reordering', 'foresight'] },
  all: ALL,
  'all-driver': { ...ALL, hasDriver: true, partsOff: ['rangeRepair'] },
  'all-fwp': { ...ALL, hasDriver: true },
  'all-repeat': { ...ALL, visit: 'second' },
  'all-intercept': INTERCEPTING,
  'all-known': { ...ALL, isNetworkKnown: true },
  'all-intercept-known': { ...INTERCEPTING, isNetworkKnown: true },
  'all-intercept-repeat': { ...INTERCEPTING, visit: 'second' },
  'relay-tunnel': { ...RELAYED, relay: 'tunnel' },
  'relay-tunnel-repeat': { ...RELAYED, relay: 'tunnel', visit: 'second' },
  relay: RELAYED,
  'relay-repeat': { ...RELAYED, visit: 'second' },
  'relay-known': { ...RELAYED, isNetworkKnown: true },
  'relay-driver': { ...RELAYED, hasDriver: true },
  'conv-warm': { ...STOCK, visit: 'warm' },
  'all-warm': { ...ALL, visit: 'warm' },
  'all-intercept-warm': { ...INTERCEPTING, visit: 'warm' },
  'conv-again': { ...STOCK, visit: 'again' },
  'all-again': { ...ALL, visit: 'again' },
  'all-intercept-again': { ...INTERCEPTING, visit: 'again' },
  'conv-journey': { ...STOCK, visit: 'journey' },
  'all-journey': { ...ALL, visit: 'journey' },
  'all-intercept-journey': { ...INTERCEPTING, visit: 'journey' },
  firefox: { ...STOCK, browser: 'firefox' },
  'firefox-pf': { ...MANAGED, browser: 'firefox' },
  'firefox-again': { ...STOCK, browser: 'firefox', visit: 'again' },
  'firefox-pf-again': { ...MANAGED, browser: 'firefox', visit: 'again' },
} as const satisfies Record<string, SchemeSetup>;

export type SchemeKind = keyof typeof SCHEMES;
export const SCHEME_KINDS = Object.keys(SCHEMES) as [SchemeKind, ...SchemeKind[]];

interface Form {
  readonly kind: SchemeKind;
  readonly about: string;
}

/** What a user is told to install, which is what npm start shows beside stock. */
export const INSTALLED_FORM = { kind: 'all', about: 'the extension by policy and the helper\'s own connections, the form that users are told to install: "sudo firstscreen-helper install --policy"' } as const satisfies Form;
/** What npm start shows beside both. */
export const RELAYED_FORM = { kind: 'relay-tunnel', about: "that with https: intercepted and a relay of the user's own, near the servers: docs/relay.md" } as const satisfies Form;

/** What the forms among some schemes are, a sentence each. */
export function formsAmong(schemes: readonly { readonly kind: string }[]): string[] {
  return [INSTALLED_FORM, RELAYED_FORM].filter((form) => schemes.some(({ kind }) => kind === form.kind)).map(({ kind, about }) => `${kind} is ${about}`);
}

/** A scheme as people read it, with its label: "stock (conv)", "Firstscreen (all)". */
export function schemeName(schemes: readonly { readonly label: string; readonly kind: string }[], label: string): string {
  const kind = SCHEME_KINDS.find((name) => name === schemes.find((scheme) => scheme.label === label)?.kind);
  const setup: SchemeSetup | null = kind === undefined ? null : SCHEMES[kind];
  if (setup === null) return label;
  return `${isStock(setup) ? 'stock' : 'Firstscreen'} (${label})`;
}

/** A browser with nothing of ours. */
export function isStock({ hasExtension, hasHelper, hasDriver }: SchemeSetup): boolean {
  return !hasExtension && !hasHelper && !hasDriver;
}

/** A scheme of a run. The label tells repetitions apart: `conv,conv` gives conv and conv#2, the null test. */
export interface Scheme {
  readonly label: string;
  readonly kind: SchemeKind;
  /** Beside those that its kind is without. */
  readonly partsOff: readonly PartName[];
}

export function setupOf({ kind, partsOff }: Pick<Scheme, 'kind' | 'partsOff'>): SchemeSetup {
  const setup: SchemeSetup = SCHEMES[kind];
  return { ...setup, partsOff: [...setup.partsOff, ...partsOff] };
}
