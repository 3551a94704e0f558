import { number, strictObject, string } from 'valibot';
import { logFailure } from '../background/log.ts';
import { keepInSession, keptInSession } from './sessionStore.ts';
import { writeSettings, type Settings } from './settings.ts';

/**
 * What each switch hands to the helper, or to the user's relay, by the names that Firefox has for such data. Mozilla's policies count a native
 * application as somewhere else, though it is on the same machine, so Firefox asks the user for it. The manifest for
 * Firefox declares the same (`data_collection_permissions`, optional), and docs/privacy.md explains it.
 */
export const HANDED_OVER = {
  remember: ['browsingActivity'],
  connections: ['browsingActivity', 'websiteContent'],
  nextPage: ['browsingActivity', 'websiteActivity'],
  relay: ['browsingActivity', 'websiteContent'],
} as const satisfies Partial<Record<keyof Settings, readonly string[]>>;

type Switch = keyof typeof HANDED_OVER;

/** As Firefox has it beside what other browsers have. */
interface DataPermissions extends chrome.permissions.Permissions {
  data_collection?: string[];
}

/** In storage.session: for which switch the user is asked, and since when. */
const ASKED = 'askedForConsent';
const AskedSchema = strictObject({ setting: string(), sinceMs: number() });
/** An answer that comes later was given for something else. */
const ANSWER_LIMIT_MS = 120_000;

/**
 * Asks whether what a switch hands over may be handed over; only inside a click, or the browser refuses. Whoever has
 * agreed before is not asked again, nor is anybody in a browser that has no such question.
 *
 * @param setting the switch that is being turned on; one that hands nothing over needs no consent
 */
export async function requestDataConsent(setting: string): Promise<boolean> {
  if (!isSwitch(setting) || !chrome.runtime.getURL('').startsWith('moz-extension:')) return true;
  const wanted: DataPermissions = { data_collection: [...HANDED_OVER[setting]] };
  // Firefox closes the popup with its question: then the background script hears the answer (watchDataConsent)
  void keepInSession(ASKED, { setting, sinceMs: Date.now() });
  const mayHandOver = await chrome.permissions.request(wanted);
  await keepInSession(ASKED, null);
  return mayHandOver;
}

/**
 * Turns on what the user has just agreed to, and off whatever he no longer agrees to, as Firefox lets him say at any
 * time on its page of extensions.
 */
export function watchDataConsent(): void {
  chrome.permissions.onAdded.addListener(({ data_collection: given = [] }: DataPermissions) => {
    if (given.length > 0) turnOnWhatWasAsked().catch(logFailure('settings', 'what the user has agreed to was not turned on'));
  });
  chrome.permissions.onRemoved.addListener(({ data_collection: taken = [] }: DataPermissions) => {
    const refused = SWITCHES.filter((setting) => HANDED_OVER[setting].some((data) => taken.includes(data)));
    if (refused.length > 0) writeSettings(Object.fromEntries(refused.map((setting) => [setting, false]))).catch(logFailure('settings', 'what the user no longer agrees to was not turned off'));
  });
}

async function turnOnWhatWasAsked(): Promise<void> {
  const asked = await keptInSession(ASKED, AskedSchema);
  await keepInSession(ASKED, null);
  if (asked === null || Date.now() - asked.sinceMs > ANSWER_LIMIT_MS) return;
  await writeSettings({ [asked.setting]: true });
}

const SWITCHES = Object.keys(HANDED_OVER) as Switch[];

function isSwitch(setting: string): setting is Switch {
  return SWITCHES.some((known) => known === setting);
}
