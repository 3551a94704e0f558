import { MEASURING_PORT, type Measurement, type MeasuringNews, type MeasuringRequest, type Subject } from '../messages/measuring.ts';
import { forgetTimes } from '../settings/firstScreenTimes.ts';
import { storedHistory, summaryOf } from '../settings/history.ts';
import { hostOf, storedMeasured } from '../settings/measuredPages.ts';
import { readSettings } from '../settings/settings.ts';
import { element, setText } from '../ui/elements.ts';
import { formatSeconds } from '../ui/format.ts';
import { keepFocus } from '../ui/keepFocus.ts';
import { saveFile } from '../ui/saveFile.ts';
import { setUpSwitch } from '../ui/settingSwitches.ts';
import { watchStatus } from '../ui/status.ts';
import { steadyPort } from '../ui/steadyPort.ts';
import { fillTexts, t } from '../ui/texts.ts';
import { visitsText } from '../ui/visitsText.ts';
import { exportOf, textOf } from './exports.ts';
import { progressOf } from './progress.ts';
import { resultOf } from './result.ts';
import { stripsOf } from './strips.ts';
import { leftText, loadRows, meaningText, phaseText, refusalText, SIDE_TEXTS, verdictDetail, verdictText } from './wording.ts';

/** Chromium ends a background script that nothing happens to for 30 s: a page on a slow link may be silent for longer. */
const KEEP_ALIVE_MS = 20_000;
/** The time that is left goes on between two news. */
const REDRAW_MS = 1_000;
const SVG = 'http://www.w3.org/2000/svg';
const POINT_RADIUS = 4;
const MEDIAN_PX = 16;

const tabId = Number(new URLSearchParams(location.search).get('tab'));
const LOOK: MeasuringRequest = { type: 'look', tabId };

let subject: Subject | null = null;
let measurement: Measurement | null = null;

fillTexts(document);
element('start', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  begin();
});
element('spend', HTMLInputElement).addEventListener('change', () => showStart());
element('goOn', HTMLButtonElement).addEventListener('click', () => ask({ type: 'goOn' }));
element('cancel', HTMLButtonElement).addEventListener('click', () => ask({ type: 'cancel' }));
element('copy', HTMLButtonElement).addEventListener('click', () => void copy());
element('export', HTMLButtonElement).addEventListener('click', download);
setUpSwitch(element('compareVisits', HTMLInputElement));
element('forget', HTMLButtonElement).addEventListener('click', () => void forget());
setInterval(showRunning, REDRAW_MS);
setInterval(() => isRunning() && look(), KEEP_ALIVE_MS);
const ask = steadyPort<MeasuringRequest>(MEASURING_PORT, heard, (say) => say(LOOK));
// what is in the way may be gone, as a switch, or the helper be there
watchStatus(() => isRunning() || look());
storedHistory.watch(() => void showHistory());
storedMeasured.watch(() => void showHistory());

/** The background script tells how a measurement stands; one that has ended may have started anew. */
function heard(news: MeasuringNews): void {
  const wasRunning = isRunning();
  if (news.type === 'subject') subject = news.subject;
  else measurement = news.measurement;
  // what was in the way of another one may not be any more
  if (wasRunning && !isRunning()) look();
  show();
}

function look(): void {
  ask(LOOK);
}

function begin(): void {
  const isCold = element('cold', HTMLInputElement).checked;
  const visit = element('second', HTMLInputElement).checked ? 'second' : 'first';
  ask({ type: 'start', tabId, options: { pairs: element('pairs', HTMLInputElement).valueAsNumber, visit, isCold }, maySpend: element('spend', HTMLInputElement).checked });
}

function isRunning(): boolean {
  return measurement !== null && measurement.phase.name !== 'ended';
}

function show(): void {
  const focused = document.activeElement;
  showStart();
  showRunning();
  showResult();
  // the result, not what can be done with it: a screen reader says what it comes to
  keepFocus(focused, [element('cancel', HTMLButtonElement), element('verdict', HTMLElement)]);
  void showHistory();
  document.body.dataset['ready'] = '';
}

function showStart(): void {
  setText('host', measurement !== null && isRunning() ? new URL(measurement.url).host : (subject?.host ?? ''));
  element('start', HTMLFormElement).hidden = isRunning();
  element('spend-label', HTMLLabelElement).hidden = subject?.isMetered !== true;
  element('cold', HTMLInputElement).disabled = subject?.canBeginCold !== true;
  const second = element('second', HTMLInputElement);
  second.disabled = subject?.hasMemory !== true;
  if (second.disabled) element('first', HTMLInputElement).checked = true;
  const refusal = subject?.refusal ?? (subject?.isMetered === true && !element('spend', HTMLInputElement).checked ? 'metered' : null);
  setText('refusal', refusal === null ? '' : refusalText(refusal));
  setText('note', subject !== null && refusal === null && !subject.isHelped ? t('measureNotHelped') : '');
  element('begin', HTMLButtonElement).disabled = subject === null || refusal !== null;
}

function showRunning(): void {
  element('running', HTMLElement).hidden = !isRunning();
  if (measurement === null || !isRunning()) return;
  setText('phase', phaseText(measurement));
  setText('left', leftText(measurement, Date.now()));
  const progress = progressOf(measurement, Date.now());
  const bar = element('progress', HTMLProgressElement);
  if (progress === null) bar.removeAttribute('value');
  else [bar.max, bar.value] = [progress.of, progress.load - 1];
  element('goOn', HTMLButtonElement).hidden = measurement.phase.name !== 'asking';
}

/** Not while it runs: who sees a result come may end it when it pleases. */
function showResult(): void {
  const isShown = measurement !== null && !isRunning();
  element('result', HTMLElement).hidden = !isShown;
  if (measurement === null || !isShown) return;
  const result = resultOf(measurement.counted);
  setText('verdict', verdictText(result));
  setText('verdict-detail', verdictDetail(result));
  setText('ended', phaseText(measurement));
  setText('meaning', meaningText(measurement));
  drawStrips(measurement);
  element('loads', HTMLTableSectionElement).replaceChildren(...loadRows(measurement).map(({ cells }) => rowOf(cells)));
}

function rowOf(cells: readonly (string | number)[]): HTMLTableRowElement {
  const row = document.createElement('tr');
  for (const text of cells) row.insertCell().append(String(text));
  return row;
}

function drawStrips({ counted }: Measurement): void {
  const { mediansMs } = resultOf(counted);
  const { width, height, axisY, ticks, tickDigits, rows } = stripsOf(counted, mediansMs);
  const picture = element('strips', SVGSVGElement);
  picture.setAttribute('viewBox', `0 0 ${width} ${height}`);
  picture.toggleAttribute('hidden', rows.length === 0);
  const lines = ticks.flatMap(({ x, ms }) => [
    drawn('line', { x1: x, x2: x, y1: 0, y2: axisY }),
    drawn('text', { x, y: height - 8, 'text-anchor': 'middle' }, formatSeconds(ms, tickDigits)),
  ]);
  const strips = rows.map(({ side, labelY, y, points, medianX }) => {
    const row = drawn('g', { class: side });
    row.append(
      drawn('text', { x: 0, y: labelY, 'dominant-baseline': 'middle' }, SIDE_TEXTS[side]()),
      ...points.map((point) => drawn('circle', { cx: point.x, cy: point.y, r: POINT_RADIUS })),
      drawn('line', { class: 'median', x1: medianX, x2: medianX, y1: y - MEDIAN_PX, y2: y + MEDIAN_PX }),
    );
    return row;
  });
  picture.replaceChildren(...lines, ...strips);
}

function drawn(name: string, attributes: Readonly<Record<string, string | number>>, text = ''): SVGElement {
  const made = document.createElementNS(SVG, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, String(value));
  made.textContent = text;
  return made;
}

async function showHistory(): Promise<void> {
  const [history, pages, { compareVisits, remember }] = await Promise.all([storedHistory.read(), storedMeasured.read(), readSettings()]);
  const host = subject?.host ?? '';
  const text = visitsText(summaryOf(history, host), pages.filter((page) => hostOf(page) === host).length);
  element('history', HTMLElement).hidden = subject === null || subject.refusal === 'notWeb';
  setText('history-text', text !== '' ? text : remember || compareVisits ? t('measureHistoryEmpty') : t('measureHistoryOff'));
  element('compareVisits', HTMLInputElement).checked = compareVisits;
  const focused = document.activeElement;
  element('forget', HTMLButtonElement).hidden = text === '';
  keepFocus(focused, [element('compareVisits', HTMLInputElement)]);
}

async function forget(): Promise<void> {
  await forgetTimes(new Set([subject?.host ?? '']));
  await showHistory();
}

async function copy(): Promise<void> {
  if (measurement === null) return;
  await navigator.clipboard.writeText(textOf(measurement, resultOf(measurement.counted)));
  setText('copied', t('measureCopied'));
}

function download(): void {
  if (measurement === null) return;
  const by = { extensionVersion: chrome.runtime.getManifest().version, browser: navigator.userAgent };
  const text = JSON.stringify(exportOf(measurement, resultOf(measurement.counted), by), null, 2);
  saveFile('firstscreen-measurement.json', text);
}
