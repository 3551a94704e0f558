import { NO_REASON, type Failure, type Outcome, type Skip } from './outcome.ts';

/** One line of `go test -json` (go doc test2json), as far as it is used here. */
interface GoTestEvent {
  readonly Action: string;
  readonly Package?: string;
  readonly ImportPath?: string;
  readonly Test?: string;
  readonly Output?: string;
  readonly FailedBuild?: string;
}

function parseLine(line: string): GoTestEvent | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && 'Action' in value && typeof value.Action === 'string' ? (value as GoTestEvent) : undefined;
  } catch {
    return undefined;
  }
}

/** `    link_test.go:12: needs a kernel with TUN` -> `needs a kernel with TUN`; the runner's own lines give no reason. */
function skipReason(output: string): string {
  const reasons = output
    .split('\n')
    .map((line) => /^\s+\S+\.go:\d+: (.*)$/.exec(line)?.[1])
    .filter((reason) => reason !== undefined);
  return reasons.at(-1) ?? NO_REASON;
}

/**
 * Counts what `go test -json` reports.
 *
 * A test with subtests is not counted beside them, unless it failed and none of them did. A package that fails without a failed test (it does not
 * compile, it panics, it takes too long) is one failure.
 */
export function parseGoTestEvents(text: string): Outcome {
  const events = text.split('\n').flatMap((line) => parseLine(line) ?? []);
  const outputs = new Map<string, string>();
  const parents = new Set<string>();
  const keyOf = (event: GoTestEvent): string => `${event.Package ?? event.ImportPath ?? ''} ${event.Test ?? ''}`.trimEnd();
  for (const event of events) {
    if (event.Output !== undefined) outputs.set(keyOf(event), (outputs.get(keyOf(event)) ?? '') + event.Output);
    const parts = event.Test?.split('/') ?? [];
    for (let length = 1; length < parts.length; length += 1) parents.add(`${event.Package ?? ''} ${parts.slice(0, length).join('/')}`);
  }

  let passed = 0;
  const failures: Failure[] = [];
  const skips: Skip[] = [];
  // A test ends after its subtests and a package after its tests, so what explains a failure has been seen by then.
  const explained = (key: string): boolean => failures.some((failure) => failure.name.startsWith(`${key}/`) || failure.name.startsWith(`${key} `));
  for (const event of events) {
    const key = keyOf(event);
    if (event.Test === undefined) {
      if (event.Action !== 'fail' || explained(key)) continue;
      const build = event.FailedBuild === undefined ? '' : (outputs.get(event.FailedBuild) ?? '');
      failures.push({ name: key, detail: `${build}${outputs.get(key) ?? ''}` });
    } else if (event.Action === 'pass' && !parents.has(key)) {
      passed += 1;
    } else if (event.Action === 'skip' && !parents.has(key)) {
      skips.push({ name: key, reason: skipReason(outputs.get(key) ?? '') });
    } else if (event.Action === 'fail' && !explained(key)) {
      failures.push({ name: key, detail: outputs.get(key) ?? '' });
    }
  }
  return { passed, failures, skips };
}
