import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import { log } from '../background/log.ts';
import { siteOfText } from '../settings/siteName.ts';
import { DATA_SAVER, MAX_FILE_BYTES, Sites, type DataSaverRule, type SiteRule } from '../settings/sites.ts';
import { changeSites, readSites } from '../settings/siteStore.ts';
import { create, element, setText } from '../ui/elements.ts';
import { KeyedList, type Row } from '../ui/keyedList.ts';
import { saveFile } from '../ui/saveFile.ts';
import { siteErrorText } from '../ui/siteErrorText.ts';
import { t } from '../ui/texts.ts';

const FILE_NAME = 'firstscreen-sites.json';

const DATA_SAVER_TEXTS: Readonly<Record<DataSaverRule, () => string>> = { inherit: () => t('siteDataSaverInherit'), on: () => t('siteDataSaverOn'), off: () => t('siteDataSaverOff') };

/** What a site can be added for, the first one unless something else is chosen. */
const ADDED: Readonly<Record<string, { readonly name: () => string; readonly said: (host: string) => string; readonly rule: Partial<SiteRule> }>> = {
  off: { name: () => t('siteAddOff'), said: (host) => t('siteAdded', host), rule: { isOff: true } },
  tunnelOnly: { name: () => t('siteTunnelOnly'), said: (host) => t('siteAddedTunnelOnly', host), rule: { tunnelOnly: true } },
  dataSaver: { name: () => t('siteDataSaver'), said: (host) => t('siteAddedDataSaver', host), rule: { dataSaver: 'on' } },
};

const text = element('site-text', HTMLInputElement);
const chosen = element('site-rule', HTMLSelectElement);
const file = element('sites-import', HTMLInputElement);
const list = new KeyedList(element('sites', HTMLElement), ({ host }) => host, rowOf);

/** At each change. */
let changed = (): void => undefined;

/** @param decided called at each change: what was looked up before it is not to be shown any more */
export function setUpSites(decided: () => void): void {
  changed = decided;
  chosen.append(...Object.entries(ADDED).map(([value, { name }]) => create('option', { value, textContent: name() })));
  element('site-form', HTMLFormElement).addEventListener('submit', (event) => {
    event.preventDefault();
    void attempt(add);
  });
  element('sites-export', HTMLButtonElement).addEventListener('click', () => void readSites().then((sites) => saveFile(FILE_NAME, sites.file)));
  file.addEventListener('change', () => void attempt(importFile));
}

export function showSites({ rules }: Sites): void {
  list.show(rules, text);
  element('sites-empty', HTMLElement).hidden = rules.length > 0;
}

function rowOf({ host }: SiteRule): Row<SiteRule> {
  const inUse = switchOf(host, t('siteInUse'), (isOn) => (sites) => sites.with({ ...sites.rule(host), isOff: !isOn }));
  const tunnelOnly = switchOf(host, t('siteTunnelOnly'), (isOn) => (sites) => sites.with({ ...sites.rule(host), tunnelOnly: isOn }));
  const dataSaver = dataSaverChoice(host);
  const remove = create('button', { type: 'button', textContent: t('siteRemove'), ariaLabel: t('siteRemoveOf', host) });
  remove.addEventListener('click', () => void attempt(() => removeSite(host)));
  return {
    element: create('li', { className: 'row' }, create('div', { className: 'site' }, create('strong', { textContent: host }), create('div', {}, inUse.label, tunnelOnly.label, dataSaver.label)), remove),
    show(rule) {
      inUse.input.checked = !rule.isOff;
      tunnelOnly.input.checked = rule.tunnelOnly;
      dataSaver.select.value = rule.dataSaver;
    },
    focused: remove,
  };
}

/** @param changeFor what it changes when it is switched on or off */
function switchOf(host: string, name: string, changeFor: (isOn: boolean) => (sites: Sites) => Sites): { label: HTMLElement; input: HTMLInputElement } {
  const input = create('input', { type: 'checkbox', role: 'switch', ariaLabel: `${name}: ${host}` });
  input.addEventListener('change', () => void attempt(() => changeSites(changeFor(input.checked)).then(() => '')));
  return { label: create('label', {}, input, create('span', { textContent: name })), input };
}

function dataSaverChoice(host: string): { label: HTMLElement; select: HTMLSelectElement } {
  const choices = DATA_SAVER.map((value) => create('option', { value, textContent: DATA_SAVER_TEXTS[value]() }));
  const select = create('select', { ariaLabel: `${t('siteDataSaver')}: ${host}` }, ...choices);
  select.addEventListener('change', () => {
    const dataSaver = DATA_SAVER.find((value) => value === select.value) ?? 'inherit';
    void attempt(() => changeSites((sites) => sites.with({ ...sites.rule(host), dataSaver })).then(() => ''));
  });
  return { label: create('label', {}, create('span', { textContent: t('siteDataSaver') }), select), select };
}

async function add(): Promise<string> {
  const host = siteOfText(text.value);
  const added = ADDED[chosen.value];
  if (added === undefined) return '';
  await changeSites((sites) => sites.with({ ...sites.rule(host), ...added.rule }));
  text.value = '';
  return added.said(host);
}

async function removeSite(host: string): Promise<string> {
  await changeSites((sites) => sites.without(host));
  return t('siteRemoved', host);
}

async function importFile(): Promise<string> {
  const [chosen] = file.files ?? [];
  if (chosen === undefined) return '';
  const isReplacing = element('import-replace', HTMLInputElement).checked;
  try {
    if (chosen.size > MAX_FILE_BYTES) throw new FirstscreenError('E_SITES_FULL', `The file has ${chosen.size} bytes; a list of sites has ${MAX_FILE_BYTES} at most.`, 'Choose a file that was exported from the options page.');
    const imported = Sites.parseFile(await chosen.text());
    await changeSites((sites) => (isReplacing ? imported : sites.merged(imported)));
    return t('sitesImported', (await readSites()).rules.length);
  } finally {
    // the same file may be chosen again
    file.value = '';
  }
}

/** Does it, and says how it went. */
async function attempt(act: () => Promise<string>): Promise<void> {
  changed();
  try {
    setText('sites-said', await act());
  } catch (error) {
    log('warn', 'options', codeOf(error), 'the list of sites was not changed');
    setText('sites-said', siteErrorText(error));
    // the switches show what is stored again
    showSites(await readSites());
  }
}
