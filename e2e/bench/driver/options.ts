import { parseArgs } from 'node:util';
import { oneOf, optionError, profileName, wholeNumber } from '../options.ts';

/** Where a driver runs. */
export const ENDS = ['none', 'client', 'both'] as const;
export type Ends = (typeof ENDS)[number];
export const KINDS = ['http', 'https'] as const;
export type Kind = (typeof KINDS)[number];

export interface DriverBenchOptions {
  readonly profile: string;
  /** More options of the link, in words. */
  readonly link: readonly string[];
  readonly kinds: readonly Kind[];
  readonly ends: readonly Ends[];
  /** Exchanges of each kind, with each of `ends`. */
  readonly count: number;
  /** Exchanges of one start of the link; one of each of `ends` follows the other, in random order. */
  readonly batch: number;
  /** Links at once. */
  readonly parallel: number;
  readonly seed: number;
  readonly out: string;
}

export type ParsedOptions = { readonly help: true } | ({ readonly help: false } & DriverBenchOptions);

export const USAGE = `Usage: npm run bench:driver -- [options]      (as root)

  --profile NAME        the link: wlan, wwan, sat, umts, 3g-fast, lossless, fast (default wwan)
  --link="OPTIONS"      more for it, as "--loss 0.03" or "--gilbert 0.01,0.25,0,0.8"
  --kinds A,B           http, https (default both)
  --ends A,B,C          none (stock Linux), client, both: where a driver runs (default all)
  --count N             fresh exchanges of each kind and ends (default 400)
  --batch N             of one start of the link; what is compared takes turns (default 20)
  --parallel N          links at once (default 2)
  --seed N              losses of the link, order, bootstrap (default 1)
  --out DIR             where results.json and table.md go (default out/driver-<time>)
`;

const MAX_SEED = 2 ** 31 - 1;

/** The command line as options. Pure. @throws FirstscreenError E_OPTION */
export function parseOptions(argv: readonly string[], defaultOut: string): ParsedOptions {
  const values = readArguments(argv);
  if (values.help === true) return { help: true };
  const count = wholeNumber('--count', values.count, 400, 1, 1_000_000);
  return {
    help: false,
    profile: profileName(values.profile ?? 'wwan'),
    link: (values.link ?? '').split(/\s+/).filter((word) => word !== ''),
    kinds: choice('--kinds', values.kinds, KINDS),
    ends: choice('--ends', values.ends, ENDS),
    count,
    batch: Math.min(count, wholeNumber('--batch', values.batch, 20, 1, 10_000)),
    parallel: wholeNumber('--parallel', values.parallel, 2, 1, 64),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
  };
}

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: { profile: text, link: text, kinds: text, ends: text, count: text, batch: text, parallel: text, seed: text, out: text, help: { type: 'boolean', short: 'h' } },
    }).values;
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'npm run bench:driver -- --help lists the options');
  }
}

function choice<T extends string>(option: string, text: string | undefined, known: readonly T[]): T[] {
  const asked = text?.split(',').map((word) => oneOf(option, word.trim(), known)) ?? known;
  return known.filter((one) => asked.includes(one));
}
