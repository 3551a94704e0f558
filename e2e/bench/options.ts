import { parseArgs } from 'node:util';
import { PART_NAMES } from '../../shared/src/parts.ts';
import { schemeWithoutStock } from './baselines.ts';
import { MAX_SEED, oneOf, optionError, positiveNumber, wholeNumber } from './optionValues.ts';
import { INSTALLED_FORM, RELAYED_FORM, SCHEME_KINDS, setupOf, type Scheme } from './schemes.ts';

export const PROTOCOLS = ['recorded', 'http1', 'h1', 'h2'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

export interface BenchOptions {
  /** WARC files or directories of them. */
  readonly pages: readonly string[];
  readonly profile: string;
  /** The first one of each kind of visit is the baseline that the others of its kind are compared with. */
  readonly schemes: readonly Scheme[];
  readonly runs: number;
  readonly protocol: Protocol;
  readonly viewport: { readonly width: number; readonly height: number };
  readonly seed: number;
  /** No load is begun after this many minutes; null for no limit. */
  readonly limitMinutes: number | null;
  readonly out: string;
  /** Continues the run in `out`, which was cut short. */
  readonly resume: boolean;
  /** Time limit of one load; null: derived from the page's bytes and the link's rate. */
  readonly loadTimeoutMs: number | null;
  /** A load whose link released packets later than this (p99) is thrown away; null: by the link's round trip. */
  readonly maxLateMs: number | null;
  /** Round trip of a second hop between link and servers, in every load, before which a relay stands; null for none. */
  readonly relayRttMs: number | null;
  /** Each browser has shown another page before: what is measured is no browser's first one. */
  readonly isSecondPage: boolean;
  readonly headed: boolean;
  readonly json: boolean;
  readonly demo: boolean;
}

/** Of a run that is a part of another benchmark, which says what is left out here. */
export const PART_OF_ANOTHER = {
  pages: [], protocol: 'recorded', viewport: { width: 1_366, height: 768 }, limitMinutes: null, resume: false, loadTimeoutMs: null, maxLateMs: null, relayRttMs: null, isSecondPage: false, headed: false, json: false, demo: false,
} as const satisfies Partial<BenchOptions>;

export const USAGE = `Usage: npm run bench -- --pages PATH... [options]

  --pages PATH...       WARC files (.warc, .warc.gz) or directories of them, at any depth
  --profile NAME        link: wlan, wwan, sat, gprs, umts, 3g-fast, lossless, fast (default 3g-fast),
                        or its numbers, as 800kbit-150ms (rate both ways, round trip, no loss);
                        -loss5 after it: 5 % of packets are lost, -burst5: as many, in fades
  --schemes A,B,...     conv (stock Chromium), pf-managed (extension installed by policy),
                        pf-tunnel, pf+or, pf+cm, all (the same on the helper's connections),
                        all-intercept (inside https: too),
                        all-known, all-intercept-known, relay-known (the helper's memory has the network
                        as one that was fast, as it has one after ten pages on --profile fast),
                        all-repeat, all-intercept-repeat (the helper has seen the page once; cold cache),
                        conv-warm, all-warm, all-intercept-warm (so has the browser, whose cache is warm),
                        conv-again, all-again, all-intercept-again (past the cache of a browser that
                        knows the page),
                        conv-journey, all-journey, all-intercept-journey (pages of a site, link by link),
                        conv-driver, all-driver, all-fwp (with the driver, as root; the last with FWP),
                        relay-tunnel, relay-tunnel-repeat (all-intercept through a relay's tunnels),
                        relay, relay-repeat, relay-driver (requests made by the relay),
                        firefox (stock), firefox-pf (extension alone), firefox-again, firefox-pf-again;
                        -no-PART after it leaves a part of the helper out, as all-no-preemption;
                        the first of each kind of visit is its baseline, for warm visits, visits again
                        and journeys stock; conv,conv is the null test (default conv,all)
  --runs N              pairs a page (default 5)
  --protocol P          recorded, http1, h1 (TLS), h2 (TLS) (default recorded)
  --viewport WxH        first viewport in CSS pixels (default 1366x768)
  --seed N              order of pages and schemes, losses of the link, bootstrap (default 1)
  --limit-minutes N     stop after the load under way at this time and report what there is
  --load-timeout S      time limit of one load (default: by bytes and rate, at least 60 s)
  --max-late MS         keep loads whose link was late by up to this, p99 (default: 5 % of the
                        round trip, at least 5 ms); above it the numbers are the machine's too
  --relay-rtt MS        round trip from the relay to the servers, 0 to 1000 (default 30 with a scheme
                        of the relay, in whose run all schemes cross both hops; else no second hop)
  --resume DIR          continue the run in DIR that was cut short; with the options of its start
  --out DIR             where results.json, table.md and index.html go (default out/bench-<time>)
  --second-page         each browser has first been to another page of the site, one that is not there
  --headed              show the browser
  --json                print results.json to stdout instead of the table
  --demo                pages of our own making, 3g-fast, about three minutes
`;

/** Where the pages of our own making are, below the repository's root. */
export const DEMO_PAGES = 'build/pages';
const DEMO_RUNS = 3;
const DEMO_LIMIT_MINUTES = 3;
const DEFAULT_RUNS = 5;
const MIN_VIEWPORT_PX = 100;
const MAX_VIEWPORT_PX = 8_192;
/** A relay stands near the servers, but not beside them: in another data centre of the same region. */
const RELAY_RTT_MS = 30;
const MAX_RELAY_RTT_MS = 1_000;
/** Between a kind and the part that it is to be without; in no kind's name. */
const WITHOUT = '-no-';

/**
 * The command line as options; null: help is wanted. Pure.
 *
 * @param canRelay whether this machine can show the demonstration with a relay, too
 * @throws FirstscreenError E_OPTION for anything that can not be meant
 */
export function parseOptions(argv: readonly string[], defaultOut: string, canRelay: boolean): BenchOptions | null {
  const { values, positionals } = readArguments(argv);
  if (values.help) return null;
  const demo = values.demo ?? false;
  if (values.resume !== undefined && values.out !== undefined) throw optionError('--resume and --out name two directories', 'leave --out away: a continued run stays where it is');
  const pages = [...(values.pages ?? []), ...positionals];
  const shown = ['conv', INSTALLED_FORM.kind, ...(demo && canRelay ? [RELAYED_FORM.kind] : [])];
  const schemes = comparable(parseSchemes(values.schemes ?? shown.join(',')));
  if (pages.length === 0 && !demo) throw optionError('no pages were named', 'name WARC files or directories with --pages, or use --demo');
  return {
    pages: pages.length > 0 ? pages : [DEMO_PAGES],
    profile: values.profile ?? '3g-fast',
    schemes,
    runs: wholeNumber('--runs', values.runs, demo ? DEMO_RUNS : DEFAULT_RUNS, 1, 1_000),
    protocol: oneOf('--protocol', values.protocol ?? 'recorded', PROTOCOLS),
    viewport: parseViewport(values.viewport ?? '1366x768'),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    limitMinutes: positiveNumber('--limit-minutes', values['limit-minutes']) ?? (demo ? DEMO_LIMIT_MINUTES : null),
    out: values.resume ?? values.out ?? defaultOut,
    resume: values.resume !== undefined,
    loadTimeoutMs: secondsToMs(positiveNumber('--load-timeout', values['load-timeout'])),
    maxLateMs: positiveNumber('--max-late', values['max-late']),
    relayRttMs: relayRttMs(values['relay-rtt'], schemes),
    isSecondPage: values['second-page'] ?? false,
    headed: values.headed ?? false,
    json: values.json ?? false,
    demo,
  };
}

function readArguments(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      allowPositionals: true,
      options: {
        pages: { type: 'string', multiple: true },
        profile: { type: 'string' },
        schemes: { type: 'string' },
        runs: { type: 'string' },
        protocol: { type: 'string' },
        viewport: { type: 'string' },
        seed: { type: 'string' },
        'limit-minutes': { type: 'string' },
        resume: { type: 'string' },
        'load-timeout': { type: 'string' },
        'max-late': { type: 'string' },
        'relay-rtt': { type: 'string' },
        out: { type: 'string' },
        'second-page': { type: 'boolean' },
        headed: { type: 'boolean' },
        json: { type: 'boolean' },
        demo: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'npm run bench -- --help lists the options');
  }
}

function relayRttMs(text: string | undefined, schemes: readonly Scheme[]): number | null {
  if (text === undefined && schemes.every((scheme) => setupOf(scheme).relay === null)) return null;
  return wholeNumber('--relay-rtt', text, RELAY_RTT_MS, 0, MAX_RELAY_RTT_MS);
}

export function parseSchemes(text: string): Scheme[] {
  const names = text.split(',').map((name) => name.trim());
  return names.map((name, place) => {
    const repetition = names.slice(0, place + 1).filter((other) => other === name).length;
    return { ...parseScheme(name), label: repetition === 1 ? name : `${name}#${repetition}` };
  });
}

/** Schemes of a benchmark whose first one is the baseline of the others. @throws FirstscreenError E_OPTION */
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
 * @throws FirstscreenError E_OPTION for what is no scheme
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

function parseViewport(text: string): { width: number; height: number } {
  const match = /^(\d+)x(\d+)$/.exec(text);
  const [width, height] = [Number(match?.[1]), Number(match?.[2])];
  const inRange = (pixels: number) => pixels >= MIN_VIEWPORT_PX && pixels <= MAX_VIEWPORT_PX;
  if (!inRange(width) || !inRange(height)) {
    throw optionError(`--viewport ${text} is no size`, `write WxH in CSS pixels from ${MIN_VIEWPORT_PX} to ${MAX_VIEWPORT_PX}, for instance 1366x768`);
  }
  return { width, height };
}

function secondsToMs(seconds: number | null): number | null {
  return seconds === null ? null : seconds * 1_000;
}
