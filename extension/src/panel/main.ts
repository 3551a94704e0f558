import { codeOf } from '../../../shared/src/errors.ts';
import { PANEL_PORT, type PanelNews, type PanelWish } from '../messages/panel.ts';
import { storedMeasured } from '../settings/measuredPages.ts';
import { steadyPort } from '../ui/steadyPort.ts';
import { fillTexts, t } from '../ui/texts.ts';
import { fileNameOf, saveFile } from './files.ts';
import { followTheme, inspectedTab } from './inspectedTab.ts';
import { OBJECT_CLASSES, type ObjectClass } from './model/objectClass.ts';
import { harOf, readRecordingFile, recordingOf } from './model/recordingFile.ts';
import { Panel } from './panel.ts';
import { Tabs } from './tabs.ts';
import { Connections } from './views/connections.ts';
import { Detail } from './views/detail.ts';
import { byId } from './views/element.ts';
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
const detail = new Detail(byId('detail', HTMLElement));
const waterfall = new Waterfall(byId('waterfall', HTMLCanvasElement), byId('waterfall-scroller', HTMLElement), byId('waterfall-spacer', HTMLElement), palette, { select, hover: (key) => detail.hover(key) });
const map = new PageMap(byId('map', HTMLCanvasElement), byId('map-note', HTMLElement), palette, { select });
const plot = new ThroughputPlot(byId('throughput', HTMLElement), palette);
const servers = new ServerChoice(byId('server', HTMLSelectElement), (server) => panel.setFilter({ server }));
/** Makes room, for good, before the others draw. */
const emptiness: View = {
  update({ model }) {
    if (model.requests.length > 0) document.body.removeAttribute('data-empty');
  },
};
const always: readonly View[] = [emptiness, new ShareBars(byId('shares', HTMLElement), byId('shares-note', HTMLElement), byId('twin-note', HTMLElement)), waterfall, detail, map, servers];
/** By the tab that shows them. */
const inTabs: Readonly<Record<string, View>> = {
  'tab-requests': new RequestTable(byId('requests', HTMLTableElement), byId('requests-scroller', HTMLElement), { select }),
  'tab-throughput': plot,
  'tab-connections': new Connections(byId('connections', HTMLTableElement), byId('connections-note', HTMLElement)),
  'tab-help': new HelpView(byId('help', HTMLElement)),
};
const panel: Panel = new Panel(() => [...always, ...Object.entries(inTabs).flatMap(([id, view]) => (tabs.isChosen(id) ? [view] : []))]);
const tabs: Tabs = new Tabs(byId('tabs', HTMLElement), () => panel.viewsChanged());

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
  const recordButton = byId('record', HTMLButtonElement);
  const clearButton = byId('clear', HTMLButtonElement);
  if (tab === null) {
    [recordButton.hidden, clearButton.hidden] = [true, true];
    return;
  }
  const know = (): void => void storedMeasured.read().then((pages) => panel.know(pages));
  storedMeasured.watch(know);
  know();
  const reloadButton = byId('reload', HTMLButtonElement);
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
  const search = byId('search', HTMLInputElement);
  search.addEventListener('input', () => panel.setFilter({ text: search.value.trim() }));
  const boxes = OBJECT_CLASSES.map((name): [ObjectClass, HTMLInputElement] => [name, byId(`class-${name}`, HTMLInputElement)]);
  for (const [, box] of boxes) box.addEventListener('change', () => panel.setFilter({ classes: new Set(boxes.filter(([, { checked }]) => checked).map(([name]) => name)) }));
}

function files(): void {
  const input = byId('file', HTMLInputElement);
  byId('open', HTMLButtonElement).addEventListener('click', () => input.click());
  input.addEventListener('change', () => {
    const [file] = input.files ?? [];
    // the same file may be opened again
    if (file !== undefined) void open(file).finally(() => (input.value = ''));
  });
  byId('save-har', HTMLButtonElement).addEventListener('click', () => {
    const { current } = panel;
    if (current !== null) saveFile(fileNameOf(current.record.url, current.record.startMs, 'har'), 'application/json', harOf(current.record, current.model, chrome.runtime.getManifest().version));
  });
  byId('save-json', HTMLButtonElement).addEventListener('click', () => {
    const { current } = panel;
    if (current !== null) saveFile(fileNameOf(current.record.url, current.record.startMs, 'firstscreen.json'), 'application/json', recordingOf(current.record));
  });
  byId('live', HTMLButtonElement).addEventListener('click', () => {
    panel.show(null);
    showOpened(null);
  });
}

async function open(file: File): Promise<void> {
  const failed = byId('failed', HTMLElement);
  failed.textContent = '';
  try {
    panel.show(await readRecordingFile(file));
    showOpened(file.name);
  } catch (error) {
    failed.textContent = t('panelBadFile', file.name, codeOf(error));
  }
}

function showOpened(name: string | null): void {
  byId('opened', HTMLElement).hidden = name === null;
  byId('opened-name', HTMLElement).textContent = name === null ? '' : t('panelOpened', name);
}
