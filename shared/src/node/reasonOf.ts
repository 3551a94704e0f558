/** By what something was refused, as in `ENOENT`: never its text, which may hold an address or a path. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown reason';
  return 'code' in error ? String(error.code) : error.name;
}
