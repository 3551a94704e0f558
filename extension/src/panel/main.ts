import { codeOf } from '../../../shared/src/errors.ts';
import { PANEL_PORT, type PanelNews, type PanelWish } from '../messages/panel.ts';
import { storedMeasured } from '../settings/measuredPages.ts';
import { element } from '../ui/elements.ts';
import { saveFile } from '../ui/saveFile.ts';
import { steadyPort } from '../ui/steadyPort.ts';
import { fillTexts, t } from '../ui/texts.ts';
import { fileNameOf } from './fileName.ts';
import { followTheme, inspectedTab } from './inspectedTab.ts';
import { OBJECT_CLASSES, type ObjectClass } from './model/objectClass.ts';
import { harOf, readRecordingFile, recordingOf } from './model/recordingFile.ts';
import { Panel } from './panel.ts';
import { Tabs } from './tabs.ts';
import { Connections } from './views/connections.ts';
import { Detail } from './views/detail.ts';
import { HelpView } from './views/helpView.ts';
import { PageMap } from './views/pageMap.ts';
import { readPalette, watchPalette } from './views/palette.ts';
import type { View } from './views/panelState.ts';
import { RequestTable } from './views/requestTable.ts';
import { ServerChoice } from './views/serverChoice.ts';
import { ShareBars } from './views/shareBars.ts';
import { ThroughputPlot } from './views/throughputPlot.ts';
import { Waterfall } from './views/waterfall.ts';

fillTexts(document);

const palette = readPalette();
const select = (key: string | null): void => panel.select(key);
const detail = new Detail(element('detail', HTMLElement));
const waterfall = new Waterfall(element('waterfall', HTMLCanvasElement), element('waterfall-scroller', HTMLElement), element('waterfall-spacer', HTMLElement), palette, { select, hover: (key) => detail.hover(key) });
const map = new PageMap(element('map', HTMLCanvasElement), element('map-note', HTMLElement), palette, { select });
const plot = new ThroughputPlot(element('throughput', HTMLElement), palette);
const servers = new ServerChoice(element('server', HTMLSelectElement), (server) => panel.setFilter({ server }));
/** Makes room, for good, before the others draw. */
const emptiness: View = {
  update({ model }) {
    if (model.requests.length > 0) document.body.removeAttribute('data-empty');
  },
};
const always: readonly View[] = [emptiness, new ShareBars(element('shares', HTMLElement), element('shares-note', HTMLElement), element('twin-note', HTMLElement)), waterfall, detail, map, servers];
/** By the tab that shows them. */
const inTabs: Readonly<Record<string, View>> = {
  'tab-requests': new RequestTable(element('requests', HTMLTableElement), element('requests-scroller', HTMLElement), { select }),
  'tab-throughput': plot,
  'tab-connections': new Connections(element('connections', HTMLTableElement), element('connections-note', HTMLElement)),
  'tab-help': new HelpView(element('help', HTMLElement)),
};
const panel: Panel = new Panel(() => [...always, ...Object.entries(inTabs).flatMap(([id, view]) => (tabs.isChosen(id) ? [view] : []))]);
const tabs: Tabs = new Tabs(element('tabs', HTMLElement), () => panel.viewsChanged());

const repaint = (): void => {
  const now = readPalette();
  for (const view of [waterfall, map, plot]) view.setPalette(now);
};
followTheme(repaint);
watchPalette(repaint);
record();
filter();
files();
document.body.dataset['ready'] = '';

/** Live, where there is a tab to inspect. */
function record(): void {
  const tab = inspectedTab();
  const recordButton = element('record', HTMLButtonElement);
  const clearButton = element('clear', HTMLButtonElement);
  if (tab === null) {
    [recordButton.hidden, clearButton.hidden] = [true, true];
    return;
  }
  const know = (): void => void storedMeasured.read().then((pages) => panel.know(pages));
  storedMeasured.watch(know);
  know();
  const reloadButton = element('reload', HTMLButtonElement);
  reloadButton.hidden = false;
  reloadButton.addEventListener('click', () => tab.reload());
  tab.listen((request) => panel.request(request), (url) => panel.navigated(url));
  const wish = (): PanelWish => ({ type: 'watch', tabId: tab.tabId, isRecording: panel.isRecording });
  const say = steadyPort<PanelWish>(PANEL_PORT, (news: PanelNews) => panel.hear(news), (sayFirst) => sayFirst(wish()));
  recordButton.addEventListener('click', () => {
    panel.isRecording = !panel.isRecording;
    recordButton.ariaPressed = String(panel.isRecording);
    say(wish());
  });
  clearButton.addEventListener('click', () => {
    panel.clear();
    showOpened(null);
  });
}

function filter(): void {
  const search = element('search', HTMLInputElement);
  search.addEventListener('input', () => panel.setFilter({ text: search.value.trim() }));
  const boxes = OBJECT_CLASSES.map((name): [ObjectClass, HTMLInputElement] => [name, element(`class-${name}`, HTMLInputElement)]);
  for (const [, box] of boxes) box.addEventListener('change', () => panel.setFilter({ classes: new Set(boxes.filter(([, { checked }]) => checked).map(([name]) => name)) }));
}

function files(): void {
  const input = element('file', HTMLInputElement);
  element('open', HTMLButtonElement).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    // the same file may be opened again
    if (file !== undefined) void open(file).finally(() => (input.value = ''));
  });
  element('save-har', HTMLButtonElement).addEventListener('click', () => {
    const { current } = panel;
    if (current !== null) saveFile(fileNameOf(current.record.url, current.record.startMs, 'har'), harOf(current.record, current.model, chrome.runtime.getManifest().version));
  });
  element('save-json', HTMLButtonElement).addEventListener('click', () => {
    const { current } = panel;
    if (current !== null) saveFile(fileNameOf(current.record.url, current.record.startMs, 'firstscreen.json'), recordingOf(current.record, current.model));
  });
  element('live', HTMLButtonElement).addEventListener('click', () => {
    panel.show(null);
    showOpened(null);
  });
}

async function open(file: File): Promise<void> {
  const failed = element('failed', HTMLElement);
  failed.textContent = '';
  try {
    panel.show(await readRecordingFile(file));
    showOpened(file.name);
  } catch (error) {
    failed.textContent = t('panelBadFile', file.name, codeOf(error));
  }
}

function showOpened(name: string | null): void {
  element('opened', HTMLElement).hidden = name === null;
  element('opened-name', HTMLElement).textContent = name === null ? '' : t('panelOpened', name);
}
