import { withoutFragment } from '../urls/imageUrls.ts';
import { isOrdinaryTab } from './ordinaryTab.ts';

/**
 * Tells the helper of a page when it is asked for, so that it can prepare what the page will need; of a private window, a container, or a tab that is not known, nothing.
 *
 * @param mayTell whether the helper may hear of pages, and can do something for them
 */
export async function announceNavigation(tabId: number, url: string, mayTell: () => boolean, tell: (url: string) => void): Promise<void> {
  if (mayTell() && (await isOrdinaryTab(tabId)) && mayTell()) tell(withoutFragment(url));
}
