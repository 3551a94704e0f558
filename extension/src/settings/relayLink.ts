import { codeOf } from '../../../shared/src/errors.ts';
import { parseRelayLink, relayLinkText, type RelayLink } from '../../../shared/src/relay/relayLink.ts';
import { log } from '../background/log.ts';

/** Of storage.local, which the browser syncs nowhere: with the token in it. */
const KEY = 'relayLink';

/** What can not be read counts as none. */
export async function readRelayLink(): Promise<RelayLink | null> {
  const { [KEY]: stored } = await chrome.storage.local.get(KEY);
  if (typeof stored !== 'string') return null;
  try {
    return parseRelayLink(stored);
  } catch (error) {
    log('warn', 'settings', codeOf(error), 'the stored link of a relay could not be read; it counts as none');
    return null;
  }
}

/** @param link null for none */
export function writeRelayLink(link: RelayLink | null): Promise<void> {
  return link === null ? chrome.storage.local.remove(KEY) : chrome.storage.local.set({ [KEY]: relayLinkText(link) });
}
