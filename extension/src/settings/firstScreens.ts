import * as v from 'valibot';
import { logFailure } from '../background/log.ts';
import { SIDES, type Side } from '../messages/measuring.ts';
import { withoutFragment } from '../urls/imageUrls.ts';
import { keepInSession, keptInSession } from './sessionStore.ts';

/** How long the first screen of a load took, and whether Firstscreen had a part in it. */
export interface FirstScreen {
  readonly isrtMs: number;
  readonly side: Side;
}

const FirstScreenSchema = v.strictObject({ url: v.string(), isrtMs: v.pipe(v.number(), v.finite(), v.minValue(0)), side: v.picklist(SIDES) });

/** Of the page that a tab shows, until the browser ends: a background script ends sooner. */
export function keepFirstScreen(tabId: number, url: string, { isrtMs, side }: FirstScreen): void {
  void keepInSession(keyOf(tabId), { url: withoutFragment(url), isrtMs, side });
}

export function forgetFirstScreen(tabId: number): void {
  void keepInSession(keyOf(tabId), null);
}

/** Of all tabs: nobody hears any more that one shows another page. */
export async function forgetFirstScreens(): Promise<void> {
  await removeAll().catch(logFailure('session', 'how long first screens took was not forgotten'));
}

async function removeAll(): Promise<void> {
  const { session } = chrome.storage;
  await session.remove(Object.keys(await session.get(null)).filter((key) => key.startsWith(PREFIX)));
}

/** Null where it is not known, or is that of another page: of one that comes back out of the browser's memory nobody is told. */
export async function firstScreenOf(tabId: number, url: string): Promise<FirstScreen | null> {
  const kept = await keptInSession(keyOf(tabId), FirstScreenSchema);
  return kept?.url === withoutFragment(url) ? { isrtMs: kept.isrtMs, side: kept.side } : null;
}

/** @param changed the first screen of some tab has come, or is of a page that is gone */
export function watchFirstScreens(changed: () => void): void {
  chrome.storage.session.onChanged.addListener((changes) => {
    if (Object.keys(changes).some((key) => key.startsWith(PREFIX))) changed();
  });
}

const PREFIX = 'firstScreen ';

function keyOf(tabId: number): string {
  return `${PREFIX}${tabId}`;
}
