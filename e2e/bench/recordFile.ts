import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { RequestEvent } from '../../shared/src/requests/requestEvent.ts';

/**
 * What the helper has recorded of its requests. The helper writes CLOCK_MONOTONIC, as link and hosting do: nothing has
 * to be aligned.
 *
 * @param path of JSON lines; of the last one only a part may be there
 * @returns null without a record
 */
export async function readRecord(path: string): Promise<RequestEvent[] | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole.split('\n').filter((line) => line !== '').map((line) => v.parse(RequestEvent, JSON.parse(line)));
}

/** The events of one load: since its navigation's start, in milliseconds after it, and before the next navigation's. Pure. */
export function recordBetween(events: readonly RequestEvent[], startMs: number, nextStartMs: number): RequestEvent[] {
  const own = events.filter(({ atMs }) => atMs >= startMs && atMs < nextStartMs);
  return own.map((event) => ({ ...event, atMs: Math.round((event.atMs - startMs) * 100) / 100 }));
}
