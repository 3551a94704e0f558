import { MAX_SEED, probabilities, readArguments } from '../../driver/arguments.ts';
import { optionError, parseSchemes, positiveNumber, profileName, wholeNumber } from '../../options.ts';
import type { Scheme } from '../../schemes.ts';

export interface PageOptions {
  readonly profile: string;
  /** Of the link, each way, in whole percent. */
  readonly lossPercents: readonly number[];
  /** The first one is what the others are compared with. */
  readonly schemes: readonly Scheme[];
  /** Of each picture. */
  readonly bytes: number;
  readonly runs: number;
  readonly maxLateMs: number | null;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:fwp -- page [options]      (as root)
A page of twelve large pictures over plain HTTP, half of them in view, in a browser: npm run bench, with losses.

  --profile NAME        the link (default 20000kbit-50ms)
  --losses A,B          of the link, each way, whole percents (default 0.02,0.05)
  --schemes A,B,...     of npm run bench; the first is the baseline (default conv,all,all-driver,all-fwp)
  --bytes N             of each picture (default 500000)
  --runs N              pairs (default 5)
  --max-late MS         as of npm run bench: for a busy machine, not for numbers
  --seed N              pictures, order of schemes, losses, bootstrap (default 1)
  --out DIR             where results.json and table.md go, and what each run leaves (default out/fwp-page-<time>)
`;

const PERCENT = 100;
const MIN_SCHEMES = 2;
/** What a picture's own pixels take, with room. */
const MIN_BYTES = 20_000;
const MAX_BYTES = 20_000_000;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): PageOptions | null {
  const values = readArguments(argv, ['profile', 'losses', 'schemes', 'bytes', 'runs', 'max-late', 'seed', 'out']);
  if (values === null) return null;
  const schemes = parseSchemes(values.schemes ?? 'conv,all,all-driver,all-fwp');
  if (schemes.length < MIN_SCHEMES) throw optionError('--schemes names one scheme only', 'name the baseline and what is compared with it, for instance conv,all-fwp');
  return {
    profile: profileName(values.profile ?? '20000kbit-50ms'),
    lossPercents: probabilities('--losses', values.losses ?? '0.02,0.05').map(wholePercent),
    schemes,
    bytes: wholeNumber('--bytes', values.bytes, 500_000, MIN_BYTES, MAX_BYTES),
    runs: wholeNumber('--runs', values.runs, 5, 1, 1_000),
    maxLateMs: positiveNumber('--max-late', values['max-late']),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}

function wholePercent(loss: number): number {
  const percent = Math.round(loss * PERCENT);
  if (percent / PERCENT !== loss) throw optionError(`--losses ${loss} is no whole percent`, 'write for instance 0.02,0.05');
  return percent;
}
