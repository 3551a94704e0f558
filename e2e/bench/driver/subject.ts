import type { Markup } from '../../report/markup.ts';
import type { CommandOptions } from '../commandOptions.ts';

/** One of several benchmarks of a command. */
export interface Subject {
  readonly usage: string;
  /** Reads the options; null: help is wanted. @throws BenchError E_OPTION */
  readonly prepare: (argv: readonly string[], defaultOut: string) => Prepared | null;
}

export interface Prepared {
  readonly out: string;
  /** @throws BenchError */
  measure(): Promise<Measured>;
}

export function subjectOf<Options extends { readonly out: string }>({ usage, parse }: CommandOptions<Options>, measure: (options: Options) => Promise<Measured>): Subject {
  return {
    usage,
    prepare(argv, defaultOut) {
      const options = parse(argv, defaultOut);
      return options === null ? null : { out: options.out, measure: () => measure(options) };
    },
  };
}

export interface Measured {
  /** For results.json. */
  readonly results: object;
  /** Over which intervals are; null where there are none. */
  readonly rounds: number | null;
  /** Markdown, for docs/results, without the lines of the machine and of intervals. */
  readonly table: string;
  /** Whether a target was missed. */
  readonly hasMissed?: boolean;
  /** SVG, by the names of their files. */
  readonly pictures?: Readonly<Record<string, Markup>>;
}
