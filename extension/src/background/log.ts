import { codeOf, type ErrorCode } from '../../../shared/src/errors.ts';
import type { LoggedCode } from '../messages/optionsPage.ts';

type Level = 'info' | 'warn' | 'error';

const logged = new Map<ErrorCode, LoggedCode>();

/** Structured line to the worker's console. Texts must hold no URL, cookie or page content. */
export function log(level: Level, scope: string, code: ErrorCode, text: string): void {
  logged.set(code, { code, count: (logged.get(code)?.count ?? 0) + 1, lastMs: Date.now() });
  console[level](JSON.stringify({ level, scope, code, text }));
}

/** What a promise that nobody waits for fails with: it is in the log, and nothing else comes of it. */
export function logFailure(scope: string, text: string): (error: unknown) => null {
  return (error) => {
    log('warn', scope, codeOf(error), text);
    return null;
  };
}

/** What was logged since the start, the last one first. */
export function loggedCodes(): LoggedCode[] {
  return [...logged.values()].sort((a, b) => b.lastMs - a.lastMs);
}
