import * as v from 'valibot';
import { logFailure } from '../background/log.ts';

/**
 * Keeps something until the browser ends, for a background script that comes after this one: one ends after half a minute
 * of rest. Null keeps nothing any more. Never rejects: where nothing can be kept, the next one begins without it.
 */
export async function keepInSession(key: string, value: object | null): Promise<void> {
  const { session } = chrome.storage;
  await (value === null ? session.remove(key) : session.set({ [key]: value })).catch(logFailure('session', 'something could not be kept until the browser ends'));
}

/** What was kept; null where that is nothing, does not fit, or can not be read. Never rejects. */
export async function keptInSession<T>(key: string, schema: v.GenericSchema<unknown, T>): Promise<T | null> {
  const stored = await chrome.storage.session.get(key).catch(logFailure('session', 'what was kept could not be read'));
  const kept = v.safeParse(schema, stored?.[key]);
  return kept.success ? kept.output : null;
}
