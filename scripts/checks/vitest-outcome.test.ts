import { describe, expect, it } from 'vitest';
import { vitestOutcome, type TestRecord } from './vitest-outcome.ts';

function test(name: string, state: TestRecord['state'], more: Partial<TestRecord> = {}): TestRecord {
  return { file: 'a.test.ts', name, state, errors: [], ...more };
}

describe('counting what Vitest ran', () => {
  it('counts each state', () => {
    const outcome = vitestOutcome({ tests: [test('a', 'passed'), test('b', 'failed', { errors: ['x', 'y'] }), test('c', 'skipped', { note: 'no Firefox' })], otherErrors: [] });
    expect(outcome).toEqual({
      passed: 1,
      failures: [{ name: 'a.test.ts > b', detail: 'x\ny' }],
      skips: [{ name: 'a.test.ts > c', reason: 'no Firefox' }],
    });
  });

  it('says so when a skip has no reason', () => {
    expect(vitestOutcome({ tests: [test('a', 'skipped')], otherErrors: [] }).skips[0]?.reason).toBe('no reason given');
  });

  it('takes a test that did not end for failed', () => {
    expect(vitestOutcome({ tests: [test('a', 'pending')], otherErrors: [] }).failures).toHaveLength(1);
  });

  it('counts errors outside tests, such as a file that can not be loaded', () => {
    expect(vitestOutcome({ tests: [], otherErrors: [{ name: 'a.test.ts', detail: 'SyntaxError' }] }).failures).toEqual([{ name: 'a.test.ts', detail: 'SyntaxError' }]);
  });
});
