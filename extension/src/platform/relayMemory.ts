import * as v from 'valibot';
import { keepInSession, keptInSession } from '../settings/sessionStore.ts';

/** In storage.session: the relay that answered last, in this run of the browser. */
const KEY = 'relayThere';
const SeenSchema = v.strictObject({ proxy: v.string(), atMs: v.number() });
/** Background scripts are stopped after half a minute without anything to do, and a page may be read for longer. */
const KNOWN_MS = 600_000;

/** Whether a relay has answered lately: to ask it again would send the page directly that has woken the background script. @param proxy HOST:PORT */
export async function wasRelayThere(proxy: string): Promise<boolean> {
  const seen = await keptInSession(KEY, SeenSchema);
  return seen?.proxy === proxy && Math.abs(Date.now() - seen.atMs) < KNOWN_MS;
}

/** @param proxy null where none is to be used */
export function rememberRelay(proxy: string | null): Promise<void> {
  return keepInSession(KEY, proxy === null ? null : { proxy, atMs: Date.now() });
}
