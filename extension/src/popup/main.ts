import { isWithoutContentScripts } from '#platform/restrictedSites.ts';
import { codeOf } from '../../../shared/src/errors.ts';
import { log } from '../background/log.ts';
import { isOrdinary } from '../background/ordinaryTab.ts';
import type { TabStatus } from '../messages/status.ts';
import { WELCOME_PAGE } from '../messages/welcome.ts';
import { firstScreenOf, watchFirstScreens } from '../settings/firstScreens.ts';
import { storedHistory, summaryOf } from '../settings/history.ts';
import { keptLinkOf } from '../settings/keptLink.ts';
import { measuredOf, storedMeasured } from '../settings/measuredPages.ts';
import { readSettings, watchSettings } from '../settings/settings.ts';
import { hasSiteAccess, requestSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import type { PageSite } from '../settings/sites.ts';
import { changeSites, readSites } from '../settings/siteStore.ts';
import { describePage, linkText, type Description } from '../situation/describe.ts';
import { factsOf, type PageNow } from '../situation/situation.ts';
import { timesText, type KnownTimes, type TimesText } from '../situation/times.ts';
import type { CapabilitiesNow } from '../ui/capabilities.ts';
import { element, setText } from '../ui/elements.ts';
import { commandByPath } from '../ui/helperProgram.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { Lookups } from '../ui/lookups.ts';
import { SettingSwitches } from '../ui/settingSwitches.ts';
import { siteErrorText } from '../ui/siteErrorText.ts';
import { loadWithout, statusOf, watchStatus } from '../ui/status.ts';
import { fillTexts, t } from '../ui/texts.ts';
import { hostOfUrl } from '../urls/hostOfUrl.ts';
import { describeHelper, describeRelay, type PartLine } from './parts.ts';

/** What is measured by and its progress, beside the page. */
const MEASURING_WINDOW = { width: 560, height: 760 };

const siteInput = element('siteEnabled', HTMLInputElement);
const accessButton = element('access', HTMLButtonElement);
const setUpButton = element('set-up', HTMLButtonElement);
const withoutButton = element('without', HTMLButtonElement);
const offButton = element('off-here', HTMLButtonElement);

/** The page that is shown: its tab, and its site, null where it is not of the web. */
let page: { readonly tabId: number | null; readonly site: PageSite | null } = { tabId: null, site: null };

fillTexts(document);
const lookups = new Lookups(lookUp, show);
const switches = new SettingSwitches(() => lookups.outdate());
siteInput.addEventListener('change', () => void switchSite(!siteInput.checked));
offButton.addEventListener('click', () => void switchSite(true));
withoutButton.addEventListener('click', () => void goWithout());
accessButton.addEventListener('click', () => void requestSiteAccess());
setUpButton.addEventListener('click', () => void chrome.tabs.create({ url: WELCOME_PAGE }).then(() => window.close()));
element('measure', HTMLButtonElement).addEventListener('click', () => void openMeasuring());
element('options', HTMLButtonElement).addEventListener('click', () => void chrome.runtime.openOptionsPage().then(() => window.close()));
watchSettings(() => void lookups.refresh());
watchSiteAccess(() => void lookups.refresh());
watchStatus(() => void lookups.refresh());
watchFirstScreens(() => void lookups.refresh());
storedHistory.watch(() => void lookups.refresh());
storedMeasured.watch(() => void lookups.refresh());
// of pages that the background script hears nothing of, the browser's own
chrome.tabs.onUpdated.addListener((tabId, { status }) => {
  if (status !== undefined && tabId === page.tabId) void lookups.refresh();
});

interface Facts {
  readonly tab: chrome.tabs.Tab | undefined;
  readonly site: PageSite | null;
  readonly now: PageNow & CapabilitiesNow;
  readonly times: KnownTimes;
}

async function lookUp(): Promise<Facts> {
  const [settings, sites, hasAccess, [tab]] = await Promise.all([readSettings(), readSites(), hasSiteAccess(), chrome.tabs.query({ active: true, currentWindow: true })]);
  const status = tab?.id === undefined ? null : await statusOf(tab.id);
  const isPrivate = tab !== undefined && !isOrdinary(tab);
  const now = { ...settings, hasAccess, ...factsOf(tab?.url, sites, isWithoutContentScripts), isPrivate, status };
  return { tab, site: sites.pageSite(tab?.url ?? ''), now, times: await knownTimes(tab, status) };
}

function show({ tab, site, now, times }: Facts): void {
  const { status } = now;
  page = { tabId: tab?.id ?? null, site };
  const focused = document.activeElement;
  showPage(describePage(now));
  showTimes(timesText(now, times, Date.now()));
  showSite(site);
  element('link', HTMLElement).hidden = status === null;
  setText('link', status === null ? '' : linkText(status));
  switches.show(now);
  showPart('helper', describeHelper(status));
  showPart('relay', describeRelay(status));
  showPart('driver', status?.driver ?? null);
  showByPath('driver-command', status?.driver?.nextStep ?? null);
  const limits = status?.driver?.limits ?? [];
  element('driver-limits', HTMLElement).hidden = limits.length === 0;
  setText('driver-reasons', limits.join('\n'));
  document.body.dataset['ready'] = '';
  keepFocus(focused, [offButton, withoutButton, siteInput, element('enabled', HTMLInputElement)]);
}

async function knownTimes(tab: chrome.tabs.Tab | undefined, status: TabStatus | null): Promise<KnownTimes> {
  const { id, url } = tab ?? {};
  if (id === undefined || url === undefined || status === null) return { firstScreen: null, measured: null, visits: { with: null, without: null } };
  const [firstScreen, history, pages] = await Promise.all([firstScreenOf(id, url), storedHistory.read(), storedMeasured.read()]);
  const link = keptLinkOf(status.link);
  return { firstScreen, measured: measuredOf(pages, url, link, Date.now()), visits: summaryOf(history, hostOfUrl(url), link) };
}

function showTimes({ took, gain, visits }: TimesText): void {
  setText('took', took);
  setText('gain', gain);
  setText('visits', visits);
}

function showPage({ tone, headline, detail, command, offer, canGoWithout }: Description): void {
  element('page', HTMLElement).dataset['state'] = tone;
  setText('headline', headline);
  setText('detail', detail);
  setText('command', command ?? '');
  showByPath('command', command);
  accessButton.hidden = offer !== 'access';
  setUpButton.hidden = offer !== 'setUp';
  offButton.hidden = offer !== 'offHere';
  element('broken', HTMLElement).hidden = !canGoWithout;
}

/** By name: where the rule of a site above it covers it, that site's. */
function showSite(of: PageSite | null): void {
  element('site', HTMLElement).hidden = of === null;
  element('measure', HTMLElement).hidden = of === null;
  siteInput.checked = of?.isOff === false;
  setText('site-label', of === null ? '' : t('useOnSite', of.host));
  setText('off-here', of === null ? '' : t('popupOffForSite', of.host));
}

async function switchSite(isOff: boolean): Promise<void> {
  lookups.outdate();
  if (page.site === null) return;
  const { host } = page.site;
  try {
    await changeSites((sites) => sites.switched(host, isOff));
    setText('site-note', '');
  } catch (error) {
    log('warn', 'settings', codeOf(error), 'a site was not switched');
    setText('site-note', siteErrorText(error));
  }
  await lookups.refresh();
}

/** Beside the window of the page, which has to stay in sight. */
async function openMeasuring(): Promise<void> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  const url = `measure.html?tab=${tab?.id ?? ''}`;
  // Firefox for Android has no windows
  const windows = chrome.windows as typeof chrome.windows | undefined;
  await (windows === undefined ? chrome.tabs.create({ url }) : windows.create({ url, type: 'popup', ...MEASURING_WINDOW }));
  window.close();
}

/** Its page is then to be looked at: the popup stays, and says what to do next. */
async function goWithout(): Promise<void> {
  const isLoading = page.tabId !== null && (await loadWithout(page.tabId));
  setText('without-note', isLoading ? '' : t('popupFailed'));
  await lookups.refresh();
}

/** The command of an element by its path, where it is one of the helper's. */
function showByPath(id: string, command: string | null): void {
  const text = commandByPath(command);
  setText(`${id}-note`, text === '' ? '' : t('welcomeCommandByPath'));
  setText(`${id}-by-path`, text);
}

function showPart(name: 'helper' | 'relay' | 'driver', line: PartLine | null): void {
  element(name, HTMLElement).hidden = line === null;
  if (line === null) return;
  element(name, HTMLElement).dataset['state'] = line.state;
  setText(`${name}-text`, line.text);
  setText(`${name}-detail`, line.detail);
  setText(`${name}-command`, line.nextStep ?? '');
}
