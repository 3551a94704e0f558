/** One thing that doctor has looked at. `next` is what to do about it, and null only where there is nothing to do. */
export type Check = { readonly name: string; readonly detail: string } & (
  | { readonly verdict: 'pass'; readonly next: null }
  | { readonly verdict: 'warn' | 'fail'; readonly next: string }
);

export function pass(name: string, detail: string): Check {
  return { name, detail, verdict: 'pass', next: null };
}

export function warn(name: string, detail: string, next: string): Check {
  return { name, detail, verdict: 'warn', next };
}

export function fail(name: string, detail: string, next: string): Check {
  return { name, detail, verdict: 'fail', next };
}

export function checksText(checks: readonly Check[]): string[] {
  return checks.flatMap(({ verdict, name, detail, next }) => [`${verdict.padEnd(6)}${name}: ${detail}`, ...(next === null ? [] : [`      next: ${next}`])]);
}
