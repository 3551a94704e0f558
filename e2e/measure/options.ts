import { parseArgs } from 'node:util';
import { PROTOCOLS, type Protocol } from '../bench/options.ts';
import { MAX_SEED, oneOf, optionError, wholeNumber } from '../bench/optionValues.ts';

export const BROWSERS = ['chromium', 'firefox'] as const;

export interface CheckOptions {
  /** WARC files or directories of them. */
  readonly pages: readonly string[];
  readonly browser: (typeof BROWSERS)[number];
  readonly profile: string;
  readonly protocol: Protocol;
  readonly pairs: number;
  readonly seed: number;
  /** results.json of a benchmark of the same pages over the same link; null for none. */
  readonly results: string | null;
  /** Of the benchmark, that is compared with. */
  readonly scheme: string;
  readonly out: string;
}

export const USAGE = `Usage: npm run check:measure -- --pages PATH... [options]

Measures recorded pages over the emulated link as a user does ("Measure this page"), and compares
with the benchmark: the browser's median ratio has to lie within the benchmark's interval.

  --pages PATH...    WARC files or directories of them
  --results FILE     results.json of npm run bench with the same pages, link and protocol;
                     without one nothing is compared
  --scheme NAME      of these results (default all-again; with --browser firefox
                     firefox-pf-again)
  --browser NAME     chromium (by policy, the helper's connections) or firefox (extension alone)
  --profile NAME     link, as of npm run bench (default 3g-fast)
  --protocol P       as of npm run bench (default recorded; Firefox takes no certificate of the
                     test bed, so http1)
  --pairs N          pairs a page (default 8)
  --seed N           losses of the link (default 1)
  --out FILE         where all that was measured goes (default out/measured-<time>.json)
`;

const MAX_PAIRS = 50;

/**
 * The command line as options; null: help is wanted. Pure.
 *
 * @throws FirstscreenError E_OPTION for anything that can not be meant
 */
export function parseOptions(argv: readonly string[], defaultOut: string): CheckOptions | null {
  const { values, positionals } = readArguments(argv);
  if (values.help === true) return null;
  const pages = [...(values.pages ?? []), ...positionals];
  if (pages.length === 0) throw optionError('no pages were named', 'name WARC files or directories with --pages');
  const browser = oneOf('--browser', values.browser ?? 'chromium', BROWSERS);
  return {
    pages,
    browser,
    profile: values.profile ?? '3g-fast',
    protocol: oneOf('--protocol', values.protocol ?? (browser === 'firefox' ? 'http1' : 'recorded'), PROTOCOLS),
    pairs: wholeNumber('--pairs', values.pairs, 8, 1, MAX_PAIRS),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    results: values.results ?? null,
    scheme: values.scheme ?? (browser === 'firefox' ? 'firefox-pf-again' : 'all-again'),
    out: values.out ?? defaultOut,
  };
}

function readArguments(argv: readonly string[]): ReturnType<typeof read> {
  try {
    return read(argv);
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'npm run check:measure -- --help lists the options');
  }
}

function read(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      pages: { type: 'string', multiple: true },
      results: { type: 'string' },
      scheme: { type: 'string' },
      browser: { type: 'string' },
      profile: { type: 'string' },
      protocol: { type: 'string' },
      pairs: { type: 'string' },
      seed: { type: 'string' },
      out: { type: 'string' },
      help: { type: 'boolean', short: 'h' },
    },
  });
}
