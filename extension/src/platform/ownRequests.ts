/** A request on this machine ends in a few milliseconds. */
const LIMIT_MS = 1_000;

/** Makes the browser ask for a host. @returns its answer; null when there is none in time */
export function askFor(host: string, scheme = 'http', limitMs = LIMIT_MS): Promise<Response | null> {
  return fetch(`${scheme}://${host}/`, { cache: 'no-store', credentials: 'omit', mode: 'no-cors', signal: AbortSignal.timeout(limitMs) }).catch(() => null);
}

/** The same of an address whose answer the extension may read. @returns its status; null when there is no answer in time */
export async function statusOf(url: string, limitMs: number, headers: Readonly<Record<string, string>> = {}): Promise<number | null> {
  return fetch(url, { cache: 'no-store', credentials: 'omit', headers, signal: AbortSignal.timeout(limitMs) }).then(({ status }) => status, () => null);
}
