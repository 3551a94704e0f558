/** A test that did not pass, with what to read about it. */
export interface Failure {
  readonly name: string;
  readonly detail: string;
}

/** A test that was not run, and why. */
export interface Skip {
  readonly name: string;
  readonly reason: string;
}

/** What a check found. A tool such as the linter is one test; a test runner is as many as it ran. */
export interface Outcome {
  readonly passed: number;
  readonly failures: readonly Failure[];
  readonly skips: readonly Skip[];
}

export const NO_REASON = 'no reason given';

/** Sums outcomes up, in order. */
export function total(outcomes: readonly Outcome[]): Outcome {
  return {
    passed: outcomes.reduce((sum, outcome) => sum + outcome.passed, 0),
    failures: outcomes.flatMap((outcome) => outcome.failures),
    skips: outcomes.flatMap((outcome) => outcome.skips),
  };
}

/** The line that whoever runs the tests reads last; programs parse it, so its form is fixed. */
export function closingLine(outcome: Outcome): string {
  return `${outcome.passed} passed, ${outcome.failures.length} failed, ${outcome.skips.length} skipped`;
}

/** A run in which nothing passed has shown nothing, so it does not succeed either. */
export function exitStatus(outcome: Outcome): 0 | 1 {
  return outcome.failures.length === 0 && outcome.passed > 0 ? 0 : 1;
}
