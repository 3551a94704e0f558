import { parseArgs } from 'node:util';
import { optionError, wholeNumber } from '../../options.ts';
import type { Results } from './results.ts';

export type ParsedOptions = { readonly help: true } | ({ readonly help: false } & Results['options']);

export const USAGE = `Usage: npm run bench:relay -- [options]

  --users A,B,...       users at once, one step each (default 25,50,100,200,400)
  --seconds N           of each step (default 60)
  --think N             seconds from one page of a user to the next, in the mean (default 20)
  --relays N            1, or 2 of one key behind HAProxy (default 1)
  --seed N              sizes of objects, and when pages come (default 1)
  --quick               a few users for a few seconds, to see that it runs; other options still count
  --out DIR             where results.json and table.md go (default out/relay-load-<time>)
  --json                print results.json to stdout instead of the table
`;

const FULL = { users: '25,50,100,200,400', seconds: 60, think: 20 };
const QUICK = { users: '2,5', seconds: 3, think: 1 };
const MAX_SEED = 2 ** 31 - 1;

/** The command line as options. Pure. @throws FirstscreenError E_OPTION for anything that can not be meant */
export function parseOptions(argv: readonly string[], defaultOut: string): ParsedOptions {
  const values = readArguments(argv);
  if (values.help) return { help: true };
  const usual = values.quick === true ? QUICK : FULL;
  return {
    help: false,
    users: (values.users ?? usual.users).split(',').map((users) => wholeNumber('--users', users.trim(), 0, 1, 10_000)),
    seconds: wholeNumber('--seconds', values.seconds, usual.seconds, 1, 3_600),
    thinkSeconds: wholeNumber('--think', values.think, usual.think, 1, 3_600),
    relays: wholeNumber('--relays', values.relays, 1, 1, 2),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    out: values.out ?? defaultOut,
    json: values.json ?? false,
  };
}

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  try {
    return parseArgs({ args: [...argv], options: { users: text, seconds: text, think: text, relays: text, seed: text, out: text, quick: flag, json: flag, help: { type: 'boolean', short: 'h' } } }).values;
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'npm run bench:relay -- --help lists the options');
  }
}
