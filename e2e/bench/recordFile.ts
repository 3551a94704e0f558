import { readFile } from 'node:fs/promises';
import * as v from 'valibot';
import { RequestEvent } from '../../shared/src/requests/requestEvent.ts';

/**
 * What the helper has recorded of its requests since a moment, in milliseconds after it. The helper writes
 * CLOCK_MONOTONIC, as link and hosting do: nothing has to be aligned.
 *
 * @param path of JSON lines; of the last one only a part may be there
 * @param zeroMs of CLOCK_MONOTONIC
 * @returns null without a record
 */
export async function readRecord(path: string, zeroMs: number): Promise<RequestEvent[] | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  const events = whole.split('\n').filter((line) => line !== '').map((line) => v.parse(RequestEvent, JSON.parse(line)));
  return events.filter(({ atMs }) => atMs >= zeroMs).map((event) => ({ ...event, atMs: Math.round((event.atMs - zeroMs) * 100) / 100 }));
}
