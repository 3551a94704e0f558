import { parseArgs } from 'node:util';
import { oneOf, optionError, parseSchemes, positiveNumber, wholeNumber } from '../options.ts';
import type { Scheme } from '../schemes.ts';
import { quickSweep, SWEEP_NAMES, SWEEPS, type Sweep } from './sweeps.ts';

export interface FigureOptions {
  readonly sweeps: readonly Sweep[];
  /** The first one is the baseline that the others are compared with. */
  readonly schemes: readonly Scheme[];
  /** Pages drawn for each point; each is loaded once with every scheme. */
  readonly runs: number;
  readonly seed: number;
  /** As the benchmark's. */
  readonly maxLateMs: number | null;
  readonly quick: boolean;
  readonly out: string;
}

export type ParsedFigureOptions = { readonly help: true } | ({ readonly help: false } & FigureOptions);

export const USAGE = `Usage: npm run bench:figures -- [options]

Draws the six figures of the NSF report (section VI-D) anew: generated pages in a real browser.

  --figure NAME         only this one; may be repeated: ${SWEEP_NAMES.slice(0, 3).join(', ')},
                        ${SWEEP_NAMES.slice(3).join(', ')} (default: all)
  --schemes A,B,...     of npm run bench; the first is the baseline
                        (default conv,pf-managed,pf+or,pf+cm,all; with --quick conv,pf-managed,all)
  --runs N              pages drawn for each point, each loaded once with every scheme (default 3; 1)
  --seed N              what is drawn, order of pages and schemes, bootstrap (default 1)
  --quick               only the ends of each figure, to see that it runs: about ten minutes;
                        other options still count
  --max-late MS         as of npm run bench: for a busy machine, not for numbers
  --out DIR             where figures.html, the plots, table.md and results.json go
                        (default out/figures-<time>)
`;

const FULL = { schemes: 'conv,pf-managed,pf+or,pf+cm,all', runs: 3 };
const QUICK = { schemes: 'conv,pf-managed,all', runs: 1 };
const MIN_SCHEMES = 2;
const MAX_RUNS = 100;
const MAX_SEED = 2 ** 31 - 1;

/**
 * The command line as options. Pure.
 *
 * @throws FirstscreenError E_OPTION for anything that can not be meant
 */
export function parseOptions(argv: readonly string[], defaultOut: string): ParsedFigureOptions {
  const values = readArguments(argv);
  if (values.help) return { help: true };
  const quick = values.quick ?? false;
  const usual = quick ? QUICK : FULL;
  const asked = (values.figure ?? [...SWEEP_NAMES]).map((name) => oneOf('--figure', name, SWEEP_NAMES));
  const schemes = parseSchemes(values.schemes ?? usual.schemes);
  if (schemes.length < MIN_SCHEMES) throw optionError('--schemes names one scheme only', 'name the baseline and what is compared with it, for instance conv,all');
  const sweeps = SWEEPS.filter(({ name }) => asked.includes(name));
  return {
    help: false,
    sweeps: quick ? sweeps.map(quickSweep) : sweeps,
    schemes,
    runs: wholeNumber('--runs', values.runs, usual.runs, 1, MAX_RUNS),
    seed: wholeNumber('--seed', values.seed, 1, 0, MAX_SEED),
    maxLateMs: positiveNumber('--max-late', values['max-late']),
    quick,
    out: values.out ?? defaultOut,
  };
}

function readArguments(argv: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({
      args: [...argv],
      options: {
        figure: { type: 'string', multiple: true }, schemes: text, runs: text, seed: text, 'max-late': text, out: text,
        quick: { type: 'boolean' }, help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw optionError(error instanceof Error ? error.message : String(error), 'npm run bench:figures -- --help lists the options');
  }
}
