import { profileName, wholeNumber } from '../../options.ts';
import { choice, ENDS, MAX_SEED, readArguments, words, type Ends } from '../arguments.ts';

export const KINDS = ['http', 'https'] as const;
export type Kind = (typeof KINDS)[number];

export interface ExchangesOptions {
  readonly profile: string;
  /** More options of the link, in words. */
  readonly link: readonly string[];
  readonly kinds: readonly Kind[];
  readonly ends: readonly Ends[];
  /** So much longer is the round trip to a second server, in milliseconds; 0: there is one server. */
  readonly fartherMs: number;
  /** Exchanges of each kind, with each of `ends`. */
  readonly count: number;
  /** Exchanges of one start of the link; one of each of `ends` follows the other, in random order. */
  readonly batch: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

const MAX_FARTHER_MS = 10_000;

export const USAGE = `Usage: npm run bench:driver -- [exchanges] [options]      (as root)

  --profile NAME        the link: wlan, wwan, sat, umts, 3g-fast, lossless, fast, or its numbers, as 800kbit-150ms (default wwan)
  --link="OPTIONS"      more for it, as "--loss 0.03" or "--gilbert 1000,100,0,0.8"
  --kinds A,B           http, https (default both)
  --ends A,B,C          none (stock Linux), client, both: where a driver runs (default all)
  --farther MS          the round trip to every second exchange's server is so much longer; 0: there is one server (default 100)
  --count N             fresh exchanges of each kind and ends, with both servers (default 400)
  --batch N             of one start of the link; what is compared takes turns (default 20)
  --parallel N          links at once (default 2)
  --seed N              losses of the link, order, bootstrap (default 1)
  --out DIR             where results.json and table.md go (default out/driver-exchanges-<time>)
`;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): ExchangesOptions | null {
  const values = readArguments(argv, ['profile', 'link', 'kinds', 'ends', 'farther', 'count', 'batch', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  const count = wholeNumber('--count', values.count, 400, 1, 1_000_000);
  return {
    profile: profileName(values.profile ?? 'wwan'),
    link: words(values.link),
    kinds: choice('--kinds', values.kinds, KINDS),
    ends: choice('--ends', values.ends, ENDS),
    fartherMs: wholeNumber('--farther', values.farther, 100, 0, MAX_FARTHER_MS),
    count,
    batch: Math.min(count, wholeNumber('--batch', values.batch, 20, 1, 10_000)),
    parallel: wholeNumber('--parallel', values.parallel, 2, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
