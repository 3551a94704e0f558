import { NO_REASON, type Failure, type Outcome, type Skip } from './outcome.ts';

/** One test as our reporter (vitest-reporter.ts) saw it end. */
export interface TestRecord {
  readonly file: string;
  readonly name: string;
  readonly state: 'passed' | 'failed' | 'skipped' | 'pending';
  readonly note?: string;
  readonly errors: readonly string[];
}

/** What our Vitest reporter writes. Vitest's own JSON reporter leaves out why a test was skipped and errors outside tests. */
export interface VitestRecord {
  readonly tests: readonly TestRecord[];
  /** Files that could not be loaded, failed hooks and unhandled errors: failures that belong to no test. */
  readonly otherErrors: readonly Failure[];
}

export function vitestOutcome(record: VitestRecord): Outcome {
  const nameOf = (test: TestRecord): string => `${test.file} > ${test.name}`;
  const failures = record.tests.filter((test) => test.state === 'failed').map((test) => ({ name: nameOf(test), detail: test.errors.join('\n') }));
  // A test that was begun and has no result was broken off.
  const brokenOff = record.tests.filter((test) => test.state === 'pending').map((test) => ({ name: nameOf(test), detail: 'did not end' }));
  const skips: Skip[] = record.tests.filter((test) => test.state === 'skipped').map((test) => ({ name: nameOf(test), reason: test.note ?? NO_REASON }));
  return {
    passed: record.tests.filter((test) => test.state === 'passed').length,
    failures: [...failures, ...brokenOff, ...record.otherErrors],
    skips,
  };
}
