import type { ErrorCode } from '../../../shared/src/errors.ts';

type Level = 'info' | 'warn' | 'error';

/** Structured line to the worker's console. Texts must hold no URL, cookie or page content. */
export function log(level: Level, scope: string, code: ErrorCode, text: string): void {
  console[level](JSON.stringify({ level, scope, code, text }));
}
