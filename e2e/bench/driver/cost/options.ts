import { wholeNumber } from '../../options.ts';
import { congestionNames, MAX_SEED, readArguments } from '../arguments.ts';

export interface CostOptions {
  /** Of the wire, each way; 0: no limit. */
  readonly mbitPerSecond: number;
  readonly congestion: string;
  /** Of one transfer, and of one look at the programs. */
  readonly seconds: number;
  readonly rounds: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:driver -- cost [options]      (as root)
Time that the programs for packets take, and bulk through a registered interface: two network namespaces, a veth pair.

  --rate N              of the wire, Mbit/s; 0: no limit (default 1000)
  --congestion NAME     congestion control of both ends (default cubic)
  --seconds N           of one transfer (default 5)
  --rounds N            what is compared takes turns (default 10)
  --seed N              order, bootstrap (default 1)
  --out DIR             where results.json and table.md go (default out/driver-cost-<time>)
`;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): CostOptions | null {
  const values = readArguments(argv, ['rate', 'congestion', 'seconds', 'rounds', 'seed', 'out']);
  if (values === null) return null;
  const [congestion = ''] = congestionNames(values.congestion ?? 'cubic');
  return {
    mbitPerSecond: wholeNumber('--rate', values.rate, 1_000, 0, 100_000),
    congestion,
    seconds: wholeNumber('--seconds', values.seconds, 5, 1, 3_600),
    rounds: wholeNumber('--rounds', values.rounds, 10, 1, 10_000),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
