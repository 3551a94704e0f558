import { describe, expect, it } from 'vitest';
import { runnerOutcome, toolOutcome } from './checks.ts';
import { closingLine, exitStatus, total, type Outcome } from './outcome.ts';

const good: Outcome = { passed: 3, failures: [], skips: [] };
const bad: Outcome = { passed: 1, failures: [{ name: 'a', detail: 'b' }], skips: [{ name: 'c', reason: 'd' }] };
const nothing: Outcome = { passed: 0, failures: [], skips: [] };

describe('summing up', () => {
  it('adds counts and keeps failures and skips in order', () => {
    expect(closingLine(total([good, bad, bad]))).toBe('5 passed, 2 failed, 2 skipped');
  });

  it('writes the plain closing line', () => {
    expect(closingLine(good)).toMatch(/^\d+ passed, \d+ failed, \d+ skipped$/);
  });

  it.each([
    [good, 0],
    [bad, 1],
    [nothing, 1],
  ] as const)('succeeds only when something passed and nothing failed', (outcome, status) => {
    expect(exitStatus(outcome)).toBe(status);
  });
});

describe('a command as a test', () => {
  const ok = { exitCode: 0, output: 'fine', stdout: 'fine' };

  it('counts a tool as one test', () => {
    expect(toolOutcome('lint', ok)).toEqual({ passed: 1, failures: [], skips: [] });
    expect(toolOutcome('lint', { ...ok, exitCode: 1, output: 'wrong' }).failures).toEqual([{ name: 'lint', detail: 'wrong\n(exit status 1)' }]);
  });

  it('does not pass a tool that was broken off, whatever its exit code', () => {
    expect(toolOutcome('lint', { ...ok, brokenOff: 'not done after 5 s' }).failures[0]?.detail).toContain('not done after 5 s');
  });

  it('adds no failure to a runner that has reported its own', () => {
    expect(runnerOutcome('go', { ...ok, exitCode: 1 }, bad)).toBe(bad);
  });

  it('shows a failure when a runner failed without reporting one', () => {
    expect(runnerOutcome('go', { ...ok, exitCode: 1 }, good).failures).toHaveLength(1);
  });

  it('shows that a runner was broken off beside the failures it had reported', () => {
    expect(runnerOutcome('go', { ...ok, exitCode: null, brokenOff: 'interrupted' }, bad).failures).toHaveLength(2);
  });
});
