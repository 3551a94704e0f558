import { profileName, wholeNumber } from '../../options.ts';
import { choice, congestionNames, ENDS, MAX_SEED, probabilities, readArguments, words, type Ends } from '../arguments.ts';

export interface AmOptions {
  readonly profile: string;
  /** More options of the link, in words. */
  readonly link: readonly string[];
  /** Bit error rates of the link. */
  readonly bitErrorRates: readonly number[];
  readonly congestion: readonly string[];
  readonly ends: readonly Ends[];
  /** Of one transfer. */
  readonly seconds: number;
  readonly rounds: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export const USAGE = `Usage: npm run bench:driver -- am [options]      (as root)
One connection that sends both ways at once, over a link with bit errors, with and without AM.

  --profile NAME        the link, with bit errors in place of its loss (default 5000kbit-50ms)
  --link="OPTIONS"      more for it, as "--queue 50p"
  --ber A,B             bit error rates (default 1e-6,5e-6,1e-5,1.5e-5)
  --congestion A,B      congestion controls of both ends, one after the other (default cubic)
  --ends A,B,C          none (stock Linux), client, both: where AM is (default all)
  --seconds N           of one transfer (default 20)
  --rounds N            what is compared takes turns (default 10)
  --parallel N          links at once (default 2)
  --seed N              errors of the link, order, bootstrap (default 1)
  --out DIR             where results.json and table.md go (default out/driver-am-<time>)
`;

/** The command line as options; null: help is wanted. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): AmOptions | null {
  const values = readArguments(argv, ['profile', 'link', 'ber', 'congestion', 'ends', 'seconds', 'rounds', 'parallel', 'seed', 'out']);
  if (values === null) return null;
  return {
    profile: profileName(values.profile ?? '5000kbit-50ms'),
    link: words(values.link),
    bitErrorRates: probabilities('--ber', values.ber ?? '1e-6,5e-6,1e-5,1.5e-5'),
    congestion: congestionNames(values.congestion ?? 'cubic'),
    ends: choice('--ends', values.ends, ENDS),
    seconds: wholeNumber('--seconds', values.seconds, 20, 1, 3_600),
    rounds: wholeNumber('--rounds', values.rounds, 10, 1, 10_000),
    parallel: wholeNumber('--parallel', values.parallel, 2, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}
