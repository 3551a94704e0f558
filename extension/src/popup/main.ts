import { STATUS_PORT, type StatusQuestion, type TabStatus } from '../messages/status.ts';
import { readSettings, watchSettings, writeSettings } from '../settings/settings.ts';
import { hasSiteAccess, requestSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import { t } from '../ui/texts.ts';
import { describeHelper, describePage, type PartLine } from './describe.ts';
import { connectionsOption, nextPageOption, rememberOption, type Option } from './options.ts';

/** A background script that ends is woken, but not in a tight loop when it can not start. */
const RECONNECT_MS = 1_000;
const MEASURING_WINDOW = { width: 560, height: 760 };

const switchInput = element('enabled', HTMLInputElement);
const rememberInput = element('remember', HTMLInputElement);
const connectionsInput = element('connections', HTMLInputElement);
const nextPageInput = element('nextPage', HTMLInputElement);
const accessButton = element('access', HTMLButtonElement);
const measureButton = element('measure', HTMLButtonElement);

/** Counts what is shown: what was looked up before the latest click, or look, is shown no more. */
let shown = 0;

// each is named as its setting
for (const input of [switchInput, rememberInput, connectionsInput, nextPageInput]) {
  input.addEventListener('change', () => {
    shown += 1;
    void writeSettings({ [input.id]: input.checked });
  });
  input.addEventListener('click', refuseLocked);
}
accessButton.addEventListener('click', () => void requestSiteAccess());
measureButton.textContent = t('measureLink');
measureButton.addEventListener('click', () => void openMeasuring());
watchSettings(() => void refresh());
watchSiteAccess(() => void refresh());
listen();

/** The background script says when its answer may be another one; one that has ended may have started anew. */
function listen(): void {
  const port = chrome.runtime.connect({ name: STATUS_PORT });
  port.onMessage.addListener(() => void refresh());
  port.onDisconnect.addListener(() => setTimeout(listen, RECONNECT_MS));
  void refresh();
}

async function refresh(): Promise<void> {
  const mine = ++shown;
  const [settings, hasAccess, status] = await Promise.all([readSettings(), hasSiteAccess(), currentStatus()]);
  if (mine !== shown) return;
  const { enabled } = settings;
  const state = { ...settings, hasAccess, status };
  const [headline, detail] = describePage(state);
  switchInput.checked = enabled;
  accessButton.hidden = hasAccess || !enabled;
  setText('headline', headline);
  setText('detail', detail);
  showOption(rememberInput, rememberOption(state));
  showOption(connectionsInput, connectionsOption(state));
  showOption(nextPageInput, nextPageOption(state));
  showPart('helper', describeHelper(status));
  showPart('driver', status?.driver ?? null);
  const limits = status?.driver?.limits ?? [];
  element('driver-limits', HTMLElement).hidden = limits.length === 0;
  setText('driver-reasons', limits.join('\n'));
  document.body.dataset['ready'] = '';
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

/** Null where nobody answers: the background script is starting, or the extension was just updated. */
async function currentStatus(): Promise<TabStatus | null> {
  const [tab] = await chrome.tabs.query({ active: true, currentWindow: true });
  if (tab?.id === undefined) return null;
  const question: StatusQuestion = { type: 'status', tabId: tab.id };
  return chrome.runtime.sendMessage<StatusQuestion, TabStatus>(question).catch(() => null);
}

function showPart(name: 'helper' | 'driver', line: PartLine | null): void {
  element(name, HTMLElement).hidden = line === null;
  if (line === null) return;
  element(name, HTMLElement).dataset['state'] = line.state;
  setText(`${name}-text`, line.text);
  setText(`${name}-detail`, line.detail);
  setText(`${name}-command`, line.nextStep ?? '');
}

/** Locked, not `disabled`: who comes by keyboard or screen reader can come to it, and hears why. */
function showOption(input: HTMLInputElement, { isOn, isLocked, note }: Option): void {
  input.checked = isOn;
  input.ariaDisabled = String(isLocked);
  setText(`${input.id}-note`, note);
}

function refuseLocked(event: Event): void {
  if (event.target instanceof HTMLInputElement && event.target.ariaDisabled === 'true') event.preventDefault();
}

/** Only on a change, so that screen readers do not repeat what has not changed. */
function setText(id: string, text: string): void {
  const target = element(id, HTMLElement);
  if (target.textContent !== text) target.textContent = text;
}

function element<T extends HTMLElement>(id: string, type: new () => T): T {
  const found = document.getElementById(id);
  if (!(found instanceof type)) throw new TypeError(`popup.html has no ${type.name} #${id}`);
  return found;
}
