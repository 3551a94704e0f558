import { describe, expect, it } from 'vitest';
import { parseGoTestEvents } from './go-test-events.ts';

interface Event {
  readonly Action: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly FailedBuild?: string;
}

function log(...events: readonly Event[]): string {
  return events.map((event) => JSON.stringify({ Package: 'p', ...event })).join('\n');
}

describe('counting go test -json', () => {
  it('counts passed tests', () => {
    expect(parseGoTestEvents(log({ Action: 'run', Test: 'A' }, { Action: 'pass', Test: 'A' }, { Action: 'pass', Test: 'B' }, { Action: 'pass' })).passed).toBe(2);
  });

  it('counts subtests instead of the test that holds them', () => {
    const text = log({ Action: 'run', Test: 'A' }, { Action: 'pass', Test: 'A/x' }, { Action: 'pass', Test: 'A/y/z' }, { Action: 'pass', Test: 'A/y' }, { Action: 'pass', Test: 'A' });
    expect(parseGoTestEvents(text).passed).toBe(2);
  });

  it('reports a failed subtest once, with its output', () => {
    const text = log(
      { Action: 'output', Test: 'A/x', Output: '    a_test.go:3: got 1\n' },
      { Action: 'fail', Test: 'A/x' },
      { Action: 'fail', Test: 'A' },
      { Action: 'fail' },
    );
    expect(parseGoTestEvents(text).failures).toEqual([{ name: 'p A/x', detail: '    a_test.go:3: got 1\n' }]);
  });

  it('reports a test that failed though its subtests passed', () => {
    const text = log({ Action: 'pass', Test: 'A/x' }, { Action: 'fail', Test: 'A' }, { Action: 'fail' });
    expect(parseGoTestEvents(text).failures.map((failure) => failure.name)).toEqual(['p A']);
  });

  it('does not take a test for explained by another whose name begins alike', () => {
    const text = log({ Action: 'fail', Test: 'AB' }, { Action: 'fail', Test: 'A' });
    expect(parseGoTestEvents(text).failures.map((failure) => failure.name)).toEqual(['p AB', 'p A']);
  });

  it('gives the reason of a skip', () => {
    const text = log(
      { Action: 'output', Test: 'A', Output: '=== RUN   A\n' },
      { Action: 'output', Test: 'A', Output: '    a_test.go:3: needs CAP_NET_ADMIN\n' },
      { Action: 'output', Test: 'A', Output: '--- SKIP: A (0.00s)\n' },
      { Action: 'skip', Test: 'A' },
    );
    expect(parseGoTestEvents(text).skips).toEqual([{ name: 'p A', reason: 'needs CAP_NET_ADMIN' }]);
  });

  it('says so when a skip has no reason', () => {
    expect(parseGoTestEvents(log({ Action: 'skip', Test: 'A' })).skips[0]?.reason).toBe('no reason given');
  });

  it('does not count packages without tests', () => {
    expect(parseGoTestEvents(log({ Action: 'skip' }))).toEqual({ passed: 0, failures: [], skips: [] });
  });

  it('reports a package that does not compile once, with the errors of the compiler', () => {
    const text = [
      JSON.stringify({ ImportPath: 'p [p.test]', Action: 'build-output', Output: 'a.go:1: undefined: x\n' }),
      JSON.stringify({ ImportPath: 'p [p.test]', Action: 'build-fail' }),
      log({ Action: 'output', Output: 'FAIL\tp [build failed]\n' }, { Action: 'fail', FailedBuild: 'p [p.test]' }),
    ].join('\n');
    expect(parseGoTestEvents(text).failures).toEqual([{ name: 'p', detail: 'a.go:1: undefined: x\nFAIL\tp [build failed]\n' }]);
  });

  it('passes over lines that are no events', () => {
    expect(parseGoTestEvents(`go: downloading x v1\n{broken\n{"Action":7}\n${log({ Action: 'pass', Test: 'A' })}\n`).passed).toBe(1);
  });
});
