import { setTimeout as sleep } from 'node:timers/promises';

/** Waits for something, but not for ever. @throws when it takes longer, naming it */
export async function within<T>(limitMs: number, what: string, promise: Promise<T>): Promise<T> {
  const limit = new AbortController();
  const late = sleep(limitMs, undefined, { signal: limit.signal }).then(() => Promise.reject(new Error(`${what} takes more than ${limitMs} ms`)));
  try {
    return await Promise.race([promise, late]);
  } finally {
    limit.abort();
    late.catch(() => undefined);
  }
}
