import { withoutFragment } from '../urls/imageUrls.ts';
import { isOrdinary, type TabOwner } from './ordinaryTab.ts';

export interface AnnouncementHost {
  /** Whether the helper may hear of pages, and can do something for them. */
  readonly mayTell: () => boolean;
  /** @throws when there is no such tab any more */
  readonly tabOf: (tabId: number) => Promise<TabOwner>;
  readonly tell: (url: string) => void;
}

/** Tells the helper of a page when it is asked for, so that it can prepare what the page will need; of a private window, a container, or a tab that is not known, nothing. */
export async function announceNavigation(tabId: number, url: string, { mayTell, tabOf, tell }: AnnouncementHost): Promise<void> {
  if (!mayTell()) return;
  const isTold = await tabOf(tabId).then(isOrdinary, () => false);
  if (isTold && mayTell()) tell(withoutFragment(url));
}
