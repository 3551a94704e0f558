import { codeOf } from '../../../shared/src/errors.ts';
import { log } from '../background/log.ts';
import { readSettings, watchSettings } from '../settings/settings.ts';
import { hasSiteAccess, requestSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import { MAX_SITES, type PageSite } from '../settings/sites.ts';
import { changeSites, readSites } from '../settings/siteStore.ts';
import { element, setText } from '../ui/elements.ts';
import { SettingSwitches } from '../ui/settingSwitches.ts';
import { statusOf, watchStatus } from '../ui/status.ts';
import { t } from '../ui/texts.ts';
import { describeHelper, describePage, type PartLine } from './describe.ts';

/** What is measured by and its progress, beside the page. */
const MEASURING_WINDOW = { width: 560, height: 760 };

const siteInput = element('siteEnabled', HTMLInputElement);
const accessButton = element('access', HTMLButtonElement);
const measureButton = element('measure', HTMLButtonElement);

/** Counts what is shown: what was looked up before the latest click, or look, is shown no more. */
let shown = 0;
/** Of the page that is shown; null where it is not of the web. */
let site: PageSite | null = null;

const switches = new SettingSwitches(() => (shown += 1));
siteInput.addEventListener('change', () => void switchSite());
accessButton.addEventListener('click', () => void requestSiteAccess());
measureButton.textContent = t('measureLink');
measureButton.addEventListener('click', () => void openMeasuring());
watchSettings(() => void refresh());
watchSiteAccess(() => void refresh());
watchStatus(() => void refresh());

async function refresh(): Promise<void> {
  const mine = ++shown;
  const [settings, sites, hasAccess, [tab]] = await Promise.all([readSettings(), readSites(), hasSiteAccess(), chrome.tabs.query({ active: true, currentWindow: true })]);
  const status = tab?.id === undefined ? null : await statusOf(tab.id);
  if (mine !== shown) return;
  site = sites.pageSite(tab?.url ?? '');
  const state = { ...settings, hasAccess, isOffHere: site?.isOff === true, status };
  const [headline, detail] = describePage(state);
  switches.show(state);
  showSite(site);
  accessButton.hidden = hasAccess || !settings.enabled;
  setText('headline', headline);
  setText('detail', detail);
  showPart('helper', describeHelper(status));
  showPart('driver', status?.driver ?? null);
  const limits = status?.driver?.limits ?? [];
  element('driver-limits', HTMLElement).hidden = limits.length === 0;
  setText('driver-reasons', limits.join('\n'));
  document.body.dataset['ready'] = '';
}

/** By name: where the rule of a site above it covers it, that site's. */
function showSite(of: PageSite | null): void {
  element('site', HTMLElement).hidden = of === null;
  siteInput.checked = of?.isOff === false;
  setText('site-label', of === null ? '' : t('useOnSite', of.host));
}

async function switchSite(): Promise<void> {
  shown += 1;
  if (site === null) return;
  const { host } = site;
  const isOff = !siteInput.checked;
  try {
    await changeSites((sites) => sites.switched(host, isOff));
    setText('site-note', '');
  } catch (error) {
    log('warn', 'settings', codeOf(error), 'a site was not switched');
    setText('site-note', t('errorSitesFull', MAX_SITES));
  }
  await refresh();
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

function showPart(name: 'helper' | 'driver', line: PartLine | null): void {
  element(name, HTMLElement).hidden = line === null;
  if (line === null) return;
  element(name, HTMLElement).dataset['state'] = line.state;
  setText(`${name}-text`, line.text);
  setText(`${name}-detail`, line.detail);
  setText(`${name}-command`, line.nextStep ?? '');
}
