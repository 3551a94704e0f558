const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'TRACE']);

/**
 * Whether a request may be made twice, after it was lost with its connection (RFC 9110, section 9.2.1). PUT and DELETE
 * are idempotent too, but nobody may have asked in between.
 */
export function isSafe(method: string): boolean {
  return SAFE.has(method);
}
