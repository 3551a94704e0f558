import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { TestRecord, VitestRecord } from './vitest-outcome.ts';

/** Where the reporter writes its record; scripts/test.ts sets it. */
export const RECORD_PATH_VARIABLE = 'FIRSTSCREEN_VITEST_RECORD';

interface ErrorLike {
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

function describe(error: ErrorLike): string {
  return error.stack ?? error.message ?? 'error without a message';
}

function recordOf(test: TestCase): TestRecord {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return {
    file: relative(process.cwd(), test.module.moduleId),
    name: test.fullName,
    state: result.state,
    ...(note === undefined ? {} : { note }),
    errors: (result.errors ?? []).map(describe),
  };
}

/** Writes every test's end, with the reason of a skip, to the file named by the environment. */
export default class RecordReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly ErrorLike[]): void {
    const path = process.env[RECORD_PATH_VARIABLE];
    if (path === undefined) return;
    const record: VitestRecord = {
      tests: modules.flatMap((module) => [...module.children.allTests()].map(recordOf)),
      otherErrors: [
        ...modules.flatMap((module) => [module, ...module.children.allSuites()].flatMap((suite) =>
          suite.errors().map((error) => ({ name: relative(process.cwd(), module.moduleId), detail: describe(error) })))),
        ...unhandledErrors.map((error) => ({ name: 'unhandled error', detail: describe(error) })),
      ],
    };
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(record));
  }
}
