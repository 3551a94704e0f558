import { PART_NAMES } from '../../shared/src/parts.ts';
import { schemeWithoutStock } from './baselines.ts';
import { commandOptions, flag, MAX_LATE, oneChoice, option, optional, PAGES, profile, seed, whole, type OptionsOf } from './commandOptions.ts';
import { oneOf, optionError, positiveNumber, wholeNumber } from './optionValues.ts';
import { INSTALLED_FORM, RELAYED_FORM, SCHEME_KINDS, setupOf, type Scheme } from './schemes.ts';

export const PROTOCOLS = ['recorded', 'http1', 'h1', 'h2'] as const;

const MS_PER_S = 1_000;
/** Of a common laptop, in CSS pixels. */
const VIEWPORT = { width: 1_366, height: 768 };
/** A relay stands near the servers, but not beside them: in another data centre of the same region. */
const RELAY_RTT_MS = 30;
const MAX_RELAY_RTT_MS = 1_000;
/** Between a kind and the part that it is to be without; in no kind's name. */
const WITHOUT = '-no-';

const SCHEMES = [
  "conv (stock Chromium), pf-managed (extension installed by policy), pf-tunnel, pf+or, pf+cm, all (the same on the helper's connections), all-intercept (inside https: too);",
  "all-known, all-intercept-known, relay-known (the helper's memory has the network as one that was fast, as it has one after ten pages on --profile fast);",
  'all-repeat, all-intercept-repeat (the helper has seen the page once; cold cache); conv-warm, all-warm, all-intercept-warm (so has the browser, whose cache is warm);',
  'conv-again, all-again, all-intercept-again (past the cache of a browser that knows the page); conv-journey, all-journey, all-intercept-journey (pages of a site, link by link);',
  'conv-driver, all-driver, all-fwp (with the driver, as root; the last with FWP);',
  "relay-tunnel, relay-tunnel-repeat (all-intercept through a relay's tunnels), relay, relay-repeat, relay-driver (requests made by the relay);",
  'firefox (stock), firefox-pf (extension alone), firefox-again, firefox-pf-again; -no-PART after it leaves a part of the helper out, as all-no-preemption;',
  'the first of each kind of visit is its baseline, for warm visits, visits again and journeys stock; conv,conv is the null test',
].join(' ');

const table = (usual: { readonly schemes: readonly string[]; readonly runs: number }) => ({
  pages: PAGES,
  profile: profile('3g-fast'),
  schemes: option('schemes A,B,...', SCHEMES, usual.schemes.join(','), (text): readonly Scheme[] => comparable(parseSchemes(text))),
  runs: whole('runs N', 'pairs a page', usual.runs, 1, 1_000),
  protocol: oneChoice('protocol P', 'of the servers', 'recorded', PROTOCOLS),
  seed: seed('order of pages and schemes, losses of the link, bootstrap'),
  limitMinutes: optional('limit-minutes N', 'stop after the load under way at this time and report what there is', (text, name) => positiveNumber(name, text)),
  loadTimeoutMs: optional('load-timeout S', 'time limit of one load (default: by bytes and rate, at least 60 s)', (text, name) => positiveNumber(name, text) * MS_PER_S),
  maxLateMs: MAX_LATE,
  relayRttMs: optional(
    'relay-rtt MS', `round trip from the relay to the servers, 0 to ${MAX_RELAY_RTT_MS} (default ${RELAY_RTT_MS} with a scheme of the relay, in whose run all schemes cross both hops; else no second hop)`,
    (text, name) => wholeNumber(name, text, 0, MAX_RELAY_RTT_MS),
  ),
  resume: optional('resume DIR', 'continue the run in DIR that was cut short; with the options of its start', (text) => text),
  isSecondPage: flag('second-page', 'each browser has first been to another page of the site, one that is not there'),
  json: flag('json', 'print results.json to stdout instead of the table'),
  demo: flag('demo', 'pages of our own making, 3g-fast, about three minutes'),
});

type Given = OptionsOf<ReturnType<typeof table>>;

/** `resume`: whether the run in `out` is continued. */
export type BenchOptions = Omit<Given, 'resume'> & { readonly resume: boolean; readonly viewport: { readonly width: number; readonly height: number } };

/** Of a run that is a part of another benchmark, which says what is left out here. */
export const PART_OF_ANOTHER = {
  pages: [], protocol: 'recorded', viewport: VIEWPORT, limitMinutes: null, resume: false, loadTimeoutMs: null, maxLateMs: null, relayRttMs: null, isSecondPage: false, json: false, demo: false,
} as const satisfies Partial<BenchOptions>;

/** Where the set-up puts the pages of our own making, below the repository's root. */
const DEMO_PAGES = 'build/pages';
const DEMO_RUNS = 3;
const DEMO_LIMIT_MINUTES = 3;

const command = (schemes: readonly string[], runs: number) => commandOptions('bench', 'Loads recorded pages over an emulated link, with several schemes.', table({ schemes, runs }));
const BESIDE_STOCK = ['conv', INSTALLED_FORM.kind];
const USUAL = command(BESIDE_STOCK, 5);

export const USAGE = USUAL.usage;

/**
 * The command line as options; null: help is wanted. Pure.
 *
 * @param canRelay whether this machine can show the demonstration with a relay, too
 * @throws BenchError E_OPTION for anything that can not be meant
 */
export function parseOptions(argv: readonly string[], defaultOut: string, canRelay: boolean): BenchOptions | null {
  const demonstration = command(canRelay ? [...BESIDE_STOCK, RELAYED_FORM.kind] : BESIDE_STOCK, DEMO_RUNS);
  const given = (argv.includes('--demo') ? demonstration : USUAL).parse(argv, '');
  if (given === null) return null;
  const { pages, schemes, resume, out, demo } = given;
  if (resume !== null && out !== '') throw optionError('--resume and --out name two directories', 'leave --out away: a continued run stays where it is');
  if (pages.length === 0 && !demo) throw optionError('no pages were named', 'name WARC files or directories with --pages, or use --demo');
  return {
    ...given,
    pages: pages.length > 0 ? pages : [DEMO_PAGES],
    viewport: VIEWPORT,
    limitMinutes: given.limitMinutes ?? (demo ? DEMO_LIMIT_MINUTES : null),
    relayRttMs: given.relayRttMs ?? (schemes.some((scheme) => setupOf(scheme).relay !== null) ? RELAY_RTT_MS : null),
    out: resume ?? (out === '' ? defaultOut : out),
    resume: resume !== null,
  };
}

export function parseSchemes(text: string): Scheme[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name, place) => {
    const repetition = names.slice(0, place + 1).filter((other) => other === name).length;
    return { ...parseScheme(name), label: repetition === 1 ? name : `${name}#${repetition}` };
  });
}

/** Schemes of a benchmark whose first one is the baseline of the others. @throws BenchError E_OPTION */
export function parseComparison(text: string, option: string): Scheme[] {
  const schemes = parseSchemes(text);
  if (schemes.length < 2) throw optionError(`${option} names one scheme only`, 'name the baseline and what is compared with it, for instance conv,all');
  return schemes;
}

function comparable(schemes: Scheme[]): Scheme[] {
  const lonely = schemeWithoutStock(schemes);
  if (lonely !== null) throw optionError(`--schemes has no stock before ${lonely.label} in the same kind of visit`, `put ${lonely.stock} before it`);
  return schemes;
}

/**
 * `KIND`, or `KIND-no-PART...`: a kind without parts of the helper.
 *
 * @throws BenchError E_OPTION for what is no scheme
 */
function parseScheme(text: string): Omit<Scheme, 'label'> {
  const [name = '', ...off] = text.split(WITHOUT);
  const kind = oneOf('--schemes', name, SCHEME_KINDS);
  const setup = setupOf({ kind, partsOff: [] });
  const partsOff = off.map((part) => oneOf(`--schemes ${kind}${WITHOUT}PART`, part, PART_NAMES));
  if (partsOff.length > 0 && !setup.connections) throw optionError(`--schemes ${text}: ${kind} does not go by the helper`, 'leave parts out of a scheme that does, as all-no-preemption');
  const all = [...setup.partsOff, ...partsOff];
  const twice = all.find((part, place) => all.indexOf(part) !== place);
  if (twice !== undefined) throw optionError(`--schemes ${text} is without ${twice} twice`, `name it once; ${kind} is without ${setup.partsOff.join(', ') || 'none'} by itself`);
  return { kind, partsOff };
}
