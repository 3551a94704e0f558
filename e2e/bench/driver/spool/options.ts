import { profileName, wholeNumber } from '../../options.ts';
import { choice, congestionNames, MAX_SEED, probabilities, readArguments, words } from '../arguments.ts';
import { PATTERNS, type Pattern } from './plan.ts';

export interface SpoolOptions {
  readonly profile: string;
  /** More options of the link, in words. */
  readonly link: readonly string[];
  /** Of the link, each way. */
  readonly losses: readonly number[];
  /** Of the server. */
  readonly congestion: readonly string[];
  readonly patterns: readonly Pattern[];
  /** What the program asks for (SO_RCVBUF), in bytes; null: nothing, so that TCP tunes it. */
  readonly receiveBuffers: readonly (number | null)[];
  /** That the program reads. */
  readonly bytes: number;
  readonly rounds: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:driver -- spool [options]      (as root)
IB for any program (A3, section 3.4): a program that does not read all the time, stock and led into the helper's spool.

  --profile NAME        the link (default sat)
  --link="OPTIONS"      more for it, as "--queue 50p"
  --losses A,B          of the link, each way (default 0.03,0)
  --congestion A,B      congestion controls of the server, one after the other (default bbr,cubic)
  --patterns A,B,C      steady; halts: reads for 6 s, stops for 20 s, then takes all;
                        on-off: reads for 2 s, stops for 6 s, in turns (default all)
  --receive-buffers A,B what the program asks for (SO_RCVBUF), in bytes; default: nothing, TCP tunes it
                        (default: default,65536)
  --bytes N             that it reads (default 2000000)
  --rounds N            what is compared takes turns (default 5)
  --parallel N          links at once (default 4)
  --seed N              losses of the link, order, bootstrap (default 1)
  --out DIR             where results.json and table.md go (default out/driver-spool-<time>)
`;

const MAX_BUFFER_BYTES = 1_000_000_000;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): SpoolOptions | null {
  const values = readArguments(argv, ['profile', 'link', 'losses', 'congestion', 'patterns', 'receive-buffers', 'bytes', 'rounds', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  return {
    profile: profileName(values.profile ?? 'sat'),
    link: words(values.link),
    losses: probabilities('--losses', values.losses ?? '0.03,0'),
    congestion: congestionNames(values.congestion ?? 'bbr,cubic'),
    patterns: choice('--patterns', values.patterns, PATTERNS),
    receiveBuffers: (values['receive-buffers'] ?? 'default,65536').split(',').map((text) => (text === 'default' ? null : wholeNumber('--receive-buffers', text, 0, 4_096, MAX_BUFFER_BYTES))),
    bytes: wholeNumber('--bytes', values.bytes, 2_000_000, 1, 1_000_000_000),
    rounds: wholeNumber('--rounds', values.rounds, 5, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 4, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
