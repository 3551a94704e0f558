import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import process from 'node:process';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { NO_REASON, type Outcome } from './outcome.ts';

/** Where the reporter writes the outcome; scripts/test.ts sets it. */
export const OUTCOME_PATH_VARIABLE = 'FIRSTSCREEN_VITEST_OUTCOME';

interface ErrorLike {
  readonly message?: string | undefined;
  readonly stack?: string | undefined;
}

function describe(error: ErrorLike): string {
  return error.stack ?? error.message ?? 'error without a message';
}

type Ended = ReturnType<TestCase['result']>;

/** @param unhandled errors of no file */
export function outcomeOf(modules: readonly Pick<TestModule, 'moduleId' | 'children' | 'errors'>[], unhandled: readonly ErrorLike[]): Outcome {
  const tests = modules.flatMap(({ moduleId, children }) => [...children.allTests()].map((test) => ({ name: `${fileOf(moduleId)} > ${test.fullName}`, result: test.result() })));
  const of = <State extends Ended['state']>(state: State) => tests.flatMap(({ name, result }) => (result.state === state ? [{ name, result: result as Extract<Ended, { state: State }> }] : []));
  return {
    passed: of('passed').length,
    failures: [
      ...of('failed').map(({ name, result }) => ({ name, detail: result.errors.map(describe).join('\n') })),
      // one that was begun and has no result was broken off
      ...of('pending').map(({ name }) => ({ name, detail: 'did not end' })),
      // files that can not be loaded, and hooks
      ...modules.flatMap((module) => [module, ...module.children.allSuites()].flatMap((suite) => suite.errors().map((error) => ({ name: fileOf(module.moduleId), detail: describe(error) })))),
      ...unhandled.map((error) => ({ name: 'unhandled error', detail: describe(error) })),
    ],
    skips: of('skipped').map(({ name, result }) => ({ name, reason: result.note ?? NO_REASON })),
  };
}

function fileOf(moduleId: string): string {
  return relative(process.cwd(), moduleId);
}

/** Writes the outcome to the file named by the environment. Vitest's own JSON reporter leaves out why a test was skipped and errors outside tests. */
export default class OutcomeReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly ErrorLike[]): void {
    const path = process.env[OUTCOME_PATH_VARIABLE];
    if (path === undefined) return;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(outcomeOf(modules, unhandled)));
  }
}
