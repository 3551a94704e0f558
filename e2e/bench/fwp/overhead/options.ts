import { congestionNames, MAX_SEED, probabilities, readArguments, words } from '../../driver/arguments.ts';
import { optionError, profileName, wholeNumber } from '../../options.ts';
import { MAX_RATE } from '../frameErrorRate.ts';

export interface OverheadOptions {
  readonly profile: string;
  /** More options of the link, in words. */
  readonly link: readonly string[];
  /** Of the air, the way down; the first one is 0. */
  readonly frameErrorRates: readonly number[];
  /** Of the server. */
  readonly congestion: string;
  readonly bytes: number;
  readonly rounds: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:fwp -- overhead [options]      (as root)
Figure 11 of the FWP paper: what a download with FWP brings more over the Internet path and over the wireless hop than
without losses. The link's way down is the emulator's air in its FWP mode (docs/link.md), and the driver
expects twice its frame error rate.

  --profile NAME        the link; its rate down is the air's (default 100000kbit-50ms)
  --link="OPTIONS"      more for it, as "--queue 50p"
  --fer A,B,...         frame error rates beside 0, at most 0.5 (default 0.01,0.02,0.05,0.1,0.2)
  --congestion NAME     congestion control of the server (default cubic)
  --bytes N             of the file (default 20000000)
  --rounds N            seeds (default 5)
  --parallel N          links at once (default 1)
  --seed N              losses of the first round, bootstrap (default 1)
  --out DIR             where results.json, table.md and the picture go (default out/fwp-overhead-<time>)
`;

const MAX_FILE_BYTES = 10_000_000_000;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): OverheadOptions | null {
  const values = readArguments(argv, ['profile', 'link', 'fer', 'congestion', 'bytes', 'rounds', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  const rates = probabilities('--fer', values.fer ?? '0.01,0.02,0.05,0.1,0.2');
  if (rates.some((rate, place) => rate <= (rates[place - 1] ?? 0) || rate > MAX_RATE)) throw optionError(`--fer ${values.fer} is no list of rates`, `name frame error rates above 0 and at most ${MAX_RATE}, from the least to the greatest`);
  const [congestion = '', ...others] = congestionNames(values.congestion ?? 'cubic');
  if (others.length > 0) throw optionError(`--congestion ${values.congestion} is more than one`, 'name one');
  return {
    profile: profileName(values.profile ?? '100000kbit-50ms'),
    link: words(values.link),
    frameErrorRates: [0, ...rates],
    congestion,
    bytes: wholeNumber('--bytes', values.bytes, 20_000_000, 1, MAX_FILE_BYTES),
    rounds: wholeNumber('--rounds', values.rounds, 5, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 1, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
