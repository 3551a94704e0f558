import { codeOf } from '../../../shared/src/errors.ts';
import { log } from '../background/log.ts';
import { Sites } from './sites.ts';

/** Of storage.local; also of the lock that keeps the changes of two pages apart. */
const KEY = 'sites';

/** What can not be read counts as empty, with a code in the log: a browser without pages would help nobody. */
export async function readSites(): Promise<Sites> {
  const { [KEY]: stored } = await chrome.storage.local.get(KEY);
  if (stored === undefined) return Sites.NONE;
  try {
    return Sites.parse(stored);
  } catch (error) {
    log('warn', 'settings', codeOf(error), 'the stored list of sites could not be read; it counts as empty');
    return Sites.NONE;
  }
}

/** One change after the other, whichever page of the extension makes it. @throws FirstscreenError what the change throws; then nothing is changed */
export async function changeSites(change: (sites: Sites) => Sites): Promise<void> {
  await navigator.locks.request(KEY, async () => {
    const { stored } = change(await readSites());
    await chrome.storage.local.set({ [KEY]: stored });
  });
}
