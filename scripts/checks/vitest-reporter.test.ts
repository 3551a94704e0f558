import { join } from 'node:path';
import process from 'node:process';
import { describe, expect, it } from 'vitest';
import type { Outcome } from './outcome.ts';
import { outcomeOf } from './vitest-reporter.ts';

type Module = Parameters<typeof outcomeOf>[0][number];

/** Of a file with tests of these names that have ended so, and with errors outside of them. */
function outcome(ended: Readonly<Record<string, object>>, errors: readonly object[] = []): Outcome {
  const tests = Object.entries(ended).map(([fullName, result]) => ({ fullName, result: () => result }));
  const module = { moduleId: join(process.cwd(), 'a.test.ts'), children: { allTests: () => tests, allSuites: () => [] }, errors: () => errors };
  return outcomeOf([module as unknown as Module], []);
}

describe('counting what Vitest ran', () => {
  it('counts each state', () => {
    expect(outcome({ a: { state: 'passed' }, b: { state: 'failed', errors: [{ stack: 'x' }, { message: 'y' }] }, c: { state: 'skipped', note: 'no Firefox' } })).toEqual({
      passed: 1,
      failures: [{ name: 'a.test.ts > b', detail: 'x\ny' }],
      skips: [{ name: 'a.test.ts > c', reason: 'no Firefox' }],
    });
  });

  it('says so when a skip has no reason', () => {
    expect(outcome({ a: { state: 'skipped' } }).skips[0]?.reason).toBe('no reason given');
  });

  it('takes a test that did not end for failed', () => {
    expect(outcome({ a: { state: 'pending' } }).failures).toHaveLength(1);
  });

  it('counts errors outside tests, such as a file that can not be loaded', () => {
    expect(outcome({}, [{ message: 'SyntaxError' }]).failures).toEqual([{ name: 'a.test.ts', detail: 'SyntaxError' }]);
    expect(outcomeOf([], [{ message: 'late' }]).failures).toEqual([{ name: 'unhandled error', detail: 'late' }]);
  });
});
