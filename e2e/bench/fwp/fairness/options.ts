import { congestionNames, MAX_SEED, probabilities, readArguments, words } from '../../driver/arguments.ts';
import { optionError, wholeNumber } from '../../options.ts';
import { frameErrorRate } from '../frameErrorRate.ts';

export interface FairnessOptions {
  readonly kbitPerSecond: number;
  readonly rttsMs: readonly number[];
  /** Of the link, each way. */
  readonly losses: readonly number[];
  /** More options of the link, in words. */
  readonly link: readonly string[];
  /** Of the file's server. */
  readonly congestion: readonly string[];
  /** That the driver expects of the link; null: it learns. */
  readonly frameErrorRate: number | null;
  /** Looked at. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:fwp -- fairness [options]      (as root)
Figure 10 of the FWP paper: a download by the helper beside a plain flow with CUBIC through one bottleneck, with FWP and
without: shares of each second, and what the bottleneck's queue drops.

  --kbit N              the bottleneck, each way (default 50000)
  --rtts A,B,...        round trips in ms (default 30,40,50,60,70)
  --losses A,B          of the link, each way, beside the queue's (default 0)
  --link="OPTIONS"      more for it, as "--queue 50p" (default queue: bandwidth times round trip)
  --congestion A,B      congestion controls of the file's server, one after the other (default cubic)
  --frame-error-rate P  that the driver expects of the link, above 0, at most 0.5 (default: it learns)
  --seconds N           looked at in one run (default 60)
  --warm-up N           seconds before (default 5)
  --rounds N            what is compared takes turns (default 10)
  --parallel N          links at once (default 1)
  --seed N              losses of the link, order, bootstrap (default 1)
  --out DIR             where results.json, table.md and pictures go (default out/fwp-fairness-<time>)
`;

const MAX_KBIT = 1_000_000;
const MAX_RTT_MS = 10_000;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): FairnessOptions | null {
  const values = readArguments(argv, ['kbit', 'rtts', 'losses', 'link', 'congestion', 'frame-error-rate', 'seconds', 'warm-up', 'rounds', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  const rttsMs = (values.rtts ?? '30,40,50,60,70').split(',').map((text) => wholeNumber('--rtts', text.trim(), 0, 1, MAX_RTT_MS));
  if (rttsMs.some((rtt, place) => rtt <= (rttsMs[place - 1] ?? 0))) throw optionError(`--rtts ${values.rtts} does not rise`, 'name round trips from the least to the greatest');
  return {
    kbitPerSecond: wholeNumber('--kbit', values.kbit, 50_000, 1, MAX_KBIT),
    rttsMs,
    losses: probabilities('--losses', values.losses ?? '0'),
    link: words(values.link),
    congestion: congestionNames(values.congestion ?? 'cubic'),
    frameErrorRate: frameErrorRate(values['frame-error-rate']),
    seconds: wholeNumber('--seconds', values.seconds, 60, 1, 3_600),
    warmUpSeconds: wholeNumber('--warm-up', values['warm-up'], 5, 0, 3_600),
    rounds: wholeNumber('--rounds', values.rounds, 10, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 1, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
