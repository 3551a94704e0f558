import { choice, congestionNames, MAX_SEED, probabilities, readArguments, words } from '../../driver/arguments.ts';
import { profileName, wholeNumber } from '../../options.ts';
import { frameErrorRate } from '../frameErrorRate.ts';

/** How packets are lost: each by itself, or in fades. */
export const PATTERNS = ['independent', 'bursts'] as const;
export type Pattern = (typeof PATTERNS)[number];

export interface DownloadOptions {
  readonly profile: string;
  /** More options of the link, in words. */
  readonly link: readonly string[];
  /** Of the link, each way. */
  readonly losses: readonly number[];
  readonly patterns: readonly Pattern[];
  /** Of the server. */
  readonly congestion: readonly string[];
  readonly bytes: number;
  /** That the driver expects of the link; null: it learns. */
  readonly frameErrorRate: number | null;
  readonly rounds: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:fwp -- download [options]      (as root)
A file over plain HTTP by the helper, without FWP and with it; SHA-256 of every one.

  --profile NAME        the link (default 20000kbit-50ms)
  --link="OPTIONS"      more for it, as "--queue 50p"
  --losses A,B          of the link, each way (default 0.001,0.005,0.01,0.02,0.05)
  --patterns A,B        independent, bursts (fades of 100 ms that take half of the packets) (default both)
  --congestion A,B,C    congestion controls of the server, one after the other (default reno,cubic,bbr)
  --bytes N             of the file (default 100000000)
  --frame-error-rate P  that the driver expects of the link, above 0, at most 0.5 (default: it learns)
  --rounds N            what is compared takes turns (default 3)
  --parallel N          links at once (default 1)
  --seed N              losses of the link, order, bootstrap (default 1)
  --out DIR             where results.json, table.md and pictures go (default out/fwp-download-<time>)
`;

const MAX_FILE_BYTES = 10_000_000_000;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): DownloadOptions | null {
  const values = readArguments(argv, ['profile', 'link', 'losses', 'patterns', 'congestion', 'bytes', 'frame-error-rate', 'rounds', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  return {
    profile: profileName(values.profile ?? '20000kbit-50ms'),
    link: words(values.link),
    losses: probabilities('--losses', values.losses ?? '0.001,0.005,0.01,0.02,0.05'),
    patterns: choice('--patterns', values.patterns, PATTERNS),
    congestion: congestionNames(values.congestion ?? 'reno,cubic,bbr'),
    bytes: wholeNumber('--bytes', values.bytes, 100_000_000, 1, MAX_FILE_BYTES),
    frameErrorRate: frameErrorRate(values['frame-error-rate']),
    rounds: wholeNumber('--rounds', values.rounds, 3, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 1, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
