import type { Step } from './steps.ts';

/** What a command is going to do, and what it says. Decided before anything is done, so that `--dry-run` says exactly what would be. */
export interface Plan<Report extends object = object> {
  /** None when all is done already. */
  readonly steps: readonly Step[];
  /** Everything that a person has to know before saying yes; null for what needs no yes. */
  readonly meaning: string | null;
  /** What is said when there are no steps, and when they are done. */
  readonly nothing: string;
  readonly done: string;
  /** What is said besides, in either case. */
  readonly notes: readonly string[];
  /** Throws where what was done turns out to be of no use. */
  readonly verify?: () => void;
  /** For a program, with `--json`. */
  readonly report: Report;
}
