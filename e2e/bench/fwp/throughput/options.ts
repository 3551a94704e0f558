import { MAX_SEED, probabilities, readArguments } from '../../driver/arguments.ts';
import { optionError, wholeNumber } from '../../options.ts';

export interface ThroughputOptions {
  /** Frame error rates of figure 7, from 0 up. */
  readonly frameErrorRates: readonly number[];
  /** Frame error rates of figure 8. */
  readonly contended: readonly number[];
  /** Of A-MPDU stations beside the one with FWP: those of figure 8, and the most for figure 7. */
  readonly stations: number;
  /** Frames of the block-ACK window and of an A-MPDU, as in 64/32, one after the other. */
  readonly sizes: readonly string[];
  /** Of the air's time, for each run. */
  readonly seconds: number;
  readonly runs: number;
  /** At once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:fwp -- throughput [options]
Figures 7 and 8 of the FWP paper: one station with FWP among stations with A-MPDU, all with frames to send at all times,
in virtual time (e2e/link/aggregation).

  --fer A,B,...         frame error rates of figure 7 (default 0,0.01,0.02,0.05,0.1,0.2,0.3,0.4,0.5)
  --contended A,B,...   frame error rates of figure 8 (default 0.1,0.2,0.4)
  --stations N          A-MPDU stations beside: N in figure 7, 1 to N in figure 8 (default 9)
  --ampdu A,B,...       frames of the block-ACK window and of an A-MPDU (default 32/32,64/64,64/32)
  --seconds N           of the air's time a run (default 120)
  --runs N              seeds (default 10)
  --parallel N          runs at once (default 2)
  --seed N              of the first run; of the bootstrap (default 1)
  --out DIR             where results.json, table.md and pictures go (default out/fwp-throughput-<time>)
`;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): ThroughputOptions | null {
  const values = readArguments(argv, ['fer', 'contended', 'stations', 'ampdu', 'seconds', 'runs', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  const frameErrorRates = probabilities('--fer', values.fer ?? '0,0.01,0.02,0.05,0.1,0.2,0.3,0.4,0.5');
  if (frameErrorRates.some((rate, place) => rate <= (frameErrorRates[place - 1] ?? -1))) throw optionError(`--fer ${values.fer} does not rise`, 'name frame error rates from the least to the greatest');
  return {
    frameErrorRates,
    contended: probabilities('--contended', values.contended ?? '0.1,0.2,0.4'),
    stations: wholeNumber('--stations', values.stations, 9, 1, 64),
    sizes: (values.ampdu ?? '32/32,64/64,64/32').split(',').map(ampduSize),
    seconds: wholeNumber('--seconds', values.seconds, 120, 1, 3_600),
    runs: wholeNumber('--runs', values.runs, 10, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 2, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}

/** What the model takes it says itself; here, mistakes in writing are told before anything runs. */
function ampduSize(text: string): string {
  const [, window, aggregate] = /^(\d+)\/(\d+)$/.exec(text.trim()) ?? [];
  const [most, sent] = [Number(window), Number(aggregate)];
  if (!(sent >= 1 && sent <= most && most <= MAX_FRAMES)) throw optionError(`--ampdu "${text}" is no size`, `write the frames of the window and of an A-MPDU, at most ${MAX_FRAMES}, as 64/32`);
  return `${most}/${sent}`;
}

/** Of a block acknowledgement (IEEE 802.11n). */
const MAX_FRAMES = 64;
