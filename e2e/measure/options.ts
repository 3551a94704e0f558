import { commandOptions, oneChoice, optional, PAGES, profile, seed, whole } from '../bench/commandOptions.ts';
import { PROTOCOLS } from '../bench/options.ts';
import { oneOf, optionError } from '../bench/optionValues.ts';

export const BROWSERS = ['chromium', 'firefox'] as const;

/** Of the page. */
const MAX_PAIRS = 50;

const GIVEN = commandOptions('check:measure', 'Measures recorded pages over the emulated link as a user does ("Measure this page"), and compares with the benchmark: the intervals of the two median ratios have to overlap.', {
  pages: PAGES,
  results: optional('results FILE', 'results.json of npm run bench with the same pages, link and protocol; without one nothing is compared', (text) => text),
  scheme: optional('scheme NAME', 'of these results (default all-again; with --browser firefox firefox-pf-again)', (text) => text),
  browser: oneChoice('browser NAME', "by policy with the helper's connections, or the extension alone", 'chromium', BROWSERS),
  profile: profile('3g-fast'),
  protocol: optional('protocol P', 'as of npm run bench (default recorded; Firefox takes no certificate of the test bed, so http1)', (text, name) => oneOf(name, text, PROTOCOLS)),
  pairs: whole('pairs N', 'pairs a page', 8, 1, MAX_PAIRS),
  seed: seed('losses of the link'),
});

export const USAGE = GIVEN.usage;

type Given = NonNullable<ReturnType<typeof GIVEN.parse>>;
/** What is not given goes by the browser. */
export type CheckOptions = Given & { readonly [Name in 'protocol' | 'scheme']: NonNullable<Given[Name]> };

/**
 * The command line as options; null: help is wanted. Pure.
 *
 * @throws BenchError E_OPTION for anything that can not be meant
 */
export function parseOptions(argv: readonly string[], defaultOut: string): CheckOptions | null {
  const given = GIVEN.parse(argv, defaultOut);
  if (given === null) return null;
  if (given.pages.length === 0) throw optionError('no pages were named', 'name WARC files or directories with --pages');
  const isFirefox = given.browser === 'firefox';
  return { ...given, protocol: given.protocol ?? (isFirefox ? 'http1' : 'recorded'), scheme: given.scheme ?? (isFirefox ? 'firefox-pf-again' : 'all-again') };
}
