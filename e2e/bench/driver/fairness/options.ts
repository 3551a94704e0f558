import { oneOf, profileName, wholeNumber } from '../../options.ts';
import { choice, congestionNames, MAX_SEED, probabilities, readArguments, words } from '../arguments.ts';

/** What the ten flows are: small requests one after the other, or bulk the way of the plain flow. */
export const TEN = ['requests', 'bulk'] as const;
export type Ten = (typeof TEN)[number];
/** Which way the plain flow goes. */
export const WAYS = ['down', 'up'] as const;
export type Way = (typeof WAYS)[number];
/** Where a driver runs when the ten are registered. */
const DRIVER_ENDS = ['client', 'both'] as const;
export type DriverEnds = (typeof DRIVER_ENDS)[number];

export interface FairnessOptions {
  readonly profiles: readonly string[];
  readonly losses: readonly number[];
  /** More options of the link, in words. */
  readonly link: readonly string[];
  readonly ten: readonly Ten[];
  readonly ways: readonly Way[];
  readonly ends: DriverEnds;
  readonly congestion: readonly string[];
  /** Measured of one transfer. */
  readonly seconds: number;
  readonly warmUpSeconds: number;
  readonly rounds: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:driver -- fairness [options]      (as root)
One plain bulk flow beside ten flows through one bottleneck, the ten registered with RAR and plain.

  --profiles A,B        links (default 5000kbit-40ms,1000kbit-100ms)
  --losses A,B          their losses, each way (default 0,0.01)
  --link="OPTIONS"      more for them, as "--queue 50p"
  --ten A,B             requests (400 bytes, answers of 1 to 10 kB), bulk (the way of the plain flow) (default both)
  --ways A,B            of the plain flow: down, up (default both)
  --ends E              where the ten are registered: client, both (default client)
  --congestion A,B      congestion controls of both ends, one after the other (default cubic)
  --seconds N           measured of one transfer (default 30)
  --warm-up N           seconds before (default 5)
  --rounds N            what is compared takes turns (default 10)
  --parallel N          links at once (default 2)
  --seed N              losses of the link, sizes of answers, order, bootstrap (default 1)
  --out DIR             where results.json and table.md go (default out/driver-fairness-<time>)
`;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): FairnessOptions | null {
  const values = readArguments(argv, ['profiles', 'losses', 'link', 'ten', 'ways', 'ends', 'congestion', 'seconds', 'warm-up', 'rounds', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  return {
    profiles: (values.profiles ?? '5000kbit-40ms,1000kbit-100ms').split(',').map(profileName),
    losses: probabilities('--losses', values.losses ?? '0,0.01'),
    link: words(values.link),
    ten: choice('--ten', values.ten, TEN),
    ways: choice('--ways', values.ways, WAYS),
    ends: oneOf('--ends', values.ends ?? 'client', DRIVER_ENDS),
    congestion: congestionNames(values.congestion ?? 'cubic'),
    seconds: wholeNumber('--seconds', values.seconds, 30, 1, 3_600),
    warmUpSeconds: wholeNumber('--warm-up', values['warm-up'], 5, 0, 3_600),
    rounds: wholeNumber('--rounds', values.rounds, 10, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 2, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
