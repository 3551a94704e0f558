import { array, number } from 'valibot';
import { keepInSession, keptInSession } from '../settings/sessionStore.ts';
import type { Description } from '../situation/describe.ts';
import { t } from '../ui/texts.ts';
import { logFailure } from './log.ts';
import { isOrdinary } from './ordinaryTab.ts';

/** Things change in bursts; a person follows no faster. */
const SHOW_MS = 250;
/** Of storage.session: tabs that have an icon of their own, which a worker that is started anew does not know. */
const OWN_TABS = 'iconTabs';
const TabsSchema = array(number());

const ICONS = { on: { 16: '/icons/16.png', 32: '/icons/32.png' }, off: { 16: '/icons/off-16.png', 32: '/icons/off-32.png' } };
/** The text keeps 4.5:1 on it. */
const BADGE_GROUND = '#a05a00';
const BADGE_TEXT = '#ffffff';

/** How an icon looks. */
export interface IconLook {
  readonly title: string;
  /** At most four letters. */
  readonly badge: string;
  readonly isGrey: boolean;
}

/** What is known of the page that a tab shows. */
export interface ShownPage {
  /** Undefined where the browser does not tell. */
  readonly url: string | undefined;
  readonly isPrivate: boolean;
}

type Said = Pick<Description, 'tone' | 'headline'>;

/** How things stand now. */
export interface Outlook {
  /** For pages of the web of which nothing else is known. */
  readonly ofAll: Said;
  readonly of: (tabId: number, page: ShownPage) => Said;
}

/** Grey where nothing is done, with a word where that is so for all pages; an exclamation mark where there is something to do. */
export function lookOf({ tone, headline }: Said, isOfAll: boolean): IconLook {
  const badge = tone === 'fault' ? '!' : tone === 'off' && isOfAll ? t('iconBadgeOff') : '';
  return { title: tone === 'working' ? t('iconWorking') : t('iconTitle', headline), badge, isGrey: tone === 'off' };
}

/**
 * The icon in the toolbar. All tabs show the same, but those of which something else is to be said; of such a tab the
 * browser forgets it when another page comes, so it is said again then.
 */
export class ToolbarIcon {
  private readonly look: () => Promise<Outlook>;
  private outlook: Outlook | null = null;
  /** What tabs show that have nothing of their own; empty until it is known. */
  private shownByAll = '';
  /** What tabs show of their own; empty for what an earlier worker has given them. */
  private readonly shownBy = new Map<number, string>();
  private readonly changedPages = new Map<number, ShownPage>();
  private isAllDue = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private recalled: Promise<void> | null = null;

  /** @param look asked when things may stand otherwise for all tabs */
  constructor(look: () => Promise<Outlook>) {
    this.look = look;
  }

  /** Things may stand otherwise, for all tabs. */
  changed(): void {
    this.isAllDue = true;
    this.showSoon();
  }

  /** A tab shows this page now, or things stand otherwise for it. */
  pageChanged(tabId: number, page: ShownPage): void {
    this.changedPages.set(tabId, page);
    this.showSoon();
  }

  forgetTab(tabId: number): void {
    this.changedPages.delete(tabId);
    // its end may be what has woken this worker
    void this.recall().then(() => {
      if (this.shownBy.delete(tabId)) this.keep();
    });
  }

  private showSoon(): void {
    this.timer ??= setTimeout(() => void this.show().catch(logFailure('icon', 'the icon was not changed')).then(() => {
      this.timer = undefined;
      // what has come meanwhile
      if (this.isAllDue || this.changedPages.size > 0) this.showSoon();
    }), SHOW_MS);
  }

  private async show(): Promise<void> {
    await this.recall();
    const changedPages = new Map(this.changedPages);
    this.changedPages.clear();
    if (this.isAllDue || this.outlook === null) {
      this.isAllDue = false;
      const [outlook, tabs] = await Promise.all([this.look(), chrome.tabs.query({})]);
      this.outlook = outlook;
      this.showAll(outlook);
      for (const tab of tabs) if (tab.id !== undefined) this.showPage(outlook, tab.id, { url: tab.url, isPrivate: !isOrdinary(tab) }, false);
    }
    for (const [tabId, page] of changedPages) this.showPage(this.outlook, tabId, page, true);
  }

  private showAll({ ofAll }: Outlook): void {
    const look = lookOf(ofAll, true);
    if (keyOf(look) === this.shownByAll) return;
    this.shownByAll = keyOf(look);
    apply(look);
  }

  /** @param isNew the browser may have forgotten what the tab had of its own */
  private showPage({ of }: Outlook, tabId: number, page: ShownPage, isNew: boolean): void {
    const said = of(tabId, page);
    const isAsAll = keyOf(lookOf(said, true)) === this.shownByAll;
    const look = lookOf(said, isAsAll);
    const before = this.shownBy.get(tabId);
    if ((before ?? this.shownByAll) === keyOf(look) && (isAsAll || !isNew)) return;
    this.shownBy.set(tabId, keyOf(look));
    if (before === undefined) this.keep();
    apply(look, tabId);
  }

  /** @returns when it is known which tabs an earlier worker has given an icon of their own */
  private recall(): Promise<void> {
    return (this.recalled ??= keptInSession(OWN_TABS, TabsSchema).then((tabs) => {
      for (const tabId of tabs ?? []) this.shownBy.set(tabId, '');
    }));
  }

  private keep(): void {
    void keepInSession(OWN_TABS, [...this.shownBy.keys()]);
  }
}

function keyOf({ title, badge, isGrey }: IconLook): string {
  return `${title}|${badge}|${isGrey}`;
}

/** @param tabId undefined for all tabs that have nothing of their own */
function apply({ title, badge, isGrey }: IconLook, tabId?: number): void {
  const where = tabId === undefined ? {} : { tabId };
  // Firefox for Android has a title, and nothing else of it
  const action: Partial<typeof chrome.action> = chrome.action;
  const calls = [action.setTitle?.({ ...where, title }), action.setIcon?.({ ...where, path: isGrey ? ICONS.off : ICONS.on }), action.setBadgeText?.({ ...where, text: badge })];
  if (badge !== '') calls.push(action.setBadgeBackgroundColor?.({ ...where, color: BADGE_GROUND }), action.setBadgeTextColor?.({ ...where, color: BADGE_TEXT }));
  // a tab that is gone has no icon
  for (const call of calls) call?.catch(() => undefined);
}
