import type { HelpState, PanelNews } from '../messages/panel.ts';
import { measuredOf, type MeasuredPage, type MeasuredPages } from '../settings/measuredPages.ts';
import type { BrowserRequest } from './model/browserRequest.ts';
import { NO_FILTER, passes, type Filter } from './model/filter.ts';
import { LiveLoad } from './model/liveLoad.ts';
import { loadModel, panelLanes, type LoadModel } from './model/loadModel.ts';
import type { LoadRecord } from './model/loadRecord.ts';
import type { PanelRequest } from './model/panelRequest.ts';
import { Recorder } from './model/recorder.ts';
import { linkOf, twinOf } from './model/twin.ts';
import type { PanelState, View } from './views/panelState.ts';

/** A person follows no faster, and the page that is inspected needs the processor. */
const UPDATE_MS = 100;
/** What is under way grows. */
const GROW_MS = 250;
/** In the developer tools' own timeline; `npm run bench:micro` reads it. */
export const UPDATE_MEASURE = 'firstscreen panel update';

/** What is shown, and when it is shown anew: views get it whole, at most once a frame. */
export class Panel {
  private readonly recorder = new Recorder();
  /** Of a file, shown instead of what is recorded. */
  private opened: LiveLoad | null = null;
  private help: HelpState | null = null;
  private measured: MeasuredPages = [];
  private filter: Filter = NO_FILTER;
  private selected: PanelRequest | null = null;
  private state: PanelState | null = null;
  private readonly views: () => readonly View[];
  private isModelOld = true;
  private isShownOld = true;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private lastMs = 0;
  isRecording = true;

  /** @param views those that are seen now */
  constructor(views: () => readonly View[]) {
    this.views = views;
  }

  request(request: BrowserRequest): void {
    if (!this.isRecording) return;
    this.recorder.request(request);
    this.told();
  }

  navigated(url: string): void {
    if (!this.isRecording) return;
    this.recorder.navigated(url, Date.now());
    this.told();
  }

  hear(news: PanelNews): void {
    if (news.type === 'state') this.help = news.state;
    if (!this.isRecording && news.type !== 'state') return;
    this.recorder.hear(news, Date.now());
    this.told();
  }

  /** What *Measure this page* has shown, of all pages. */
  know(measured: MeasuredPages): void {
    this.measured = measured;
    this.updateSoon(0);
  }

  clear(): void {
    this.recorder.clear();
    this.show(null);
  }

  /** A recording, or null for what is recorded now. */
  show(record: LoadRecord | null): void {
    this.opened = record === null ? null : LiveLoad.of(record);
    this.selected = null;
    this.dataChanged();
  }

  setFilter(filter: Partial<Filter>): void {
    this.filter = { ...this.filter, ...filter };
    this.isShownOld = true;
    this.updateSoon(0);
  }

  select(key: string | null): void {
    this.selected = this.state?.model.requests.find((request) => request.key === key) ?? null;
    this.updateSoon(0);
  }

  /** Another view is seen. */
  viewsChanged(): void {
    this.updateSoon(0);
  }

  /** What is shown now, for an export; null before anything is. */
  get current(): { readonly record: LoadRecord; readonly model: LoadModel } | null {
    return this.state === null ? null : { record: { ...this.state.record, twin: this.state.twin }, model: this.state.model };
  }

  /** What is recorded while a file is shown, is shown after it. */
  private told(): void {
    if (this.opened === null) this.dataChanged();
  }

  private dataChanged(): void {
    this.isModelOld = true;
    this.updateSoon(UPDATE_MS);
  }

  private updateSoon(distanceMs: number): void {
    const waitMs = Math.max(0, this.lastMs + distanceMs - performance.now());
    if (this.timer !== undefined && distanceMs > 0) return;
    clearTimeout(this.timer);
    // no frame is made of a panel that nobody sees
    this.timer = setTimeout(() => requestAnimationFrame(() => this.update()), waitMs);
  }

  private update(): void {
    const startMs = performance.now();
    [this.timer, this.lastMs] = [undefined, startMs];
    this.state = this.nextState();
    if (this.state === null) return;
    for (const view of this.views()) view.update(this.state);
    performance.measure(UPDATE_MEASURE, { start: startMs });
    // who observes has got it; nobody else should keep it
    performance.clearMeasures(UPDATE_MEASURE);
    if (this.opened === null && this.state.model.requests.some(({ browser, way }) => browser === null && way?.endMs === null)) {
      this.isModelOld = true;
      this.timer ??= setTimeout(() => requestAnimationFrame(() => this.update()), GROW_MS);
    }
  }

  private nextState(): PanelState | null {
    const load = this.opened ?? this.recorder.load;
    if (load === null) return null;
    const before = this.state;
    const isNew = before === null || this.isModelOld;
    const record = isNew ? load.record : before.record;
    const model = isNew ? loadModel(record, load.ways, this.opened === null ? Date.now() : lastMomentOf(record)) : before.model;
    const isShownNew = isNew || this.isShownOld;
    const shown = isShownNew ? model.requests.filter((request) => passes(this.filter, request)) : before.shown;
    const lanes = isShownNew ? panelLanes(model, shown) : before.lanes;
    [this.isModelOld, this.isShownOld] = [false, false];
    this.selected = found(model, this.selected);
    const isLive = this.opened === null;
    return { record, model, shown, lanes, selected: this.selected, twin: isLive ? twinOf(record, this.recorder.twin, measuredFor(record, this.measured)) : record.twin, help: isLive ? this.help : null, isCut: load.isCut };
  }
}

/** On the link of this load, rather than on another one. */
function measuredFor({ url, links }: LoadRecord, pages: MeasuredPages): MeasuredPage | null {
  return url === null ? null : measuredOf(pages, url, linkOf(links), Date.now());
}

/** The same request in a model that knows more. */
function found({ requests }: LoadModel, selected: PanelRequest | null): PanelRequest | null {
  if (selected === null) return null;
  const { key, way } = selected;
  return requests.find((request) => request.key === key) ?? requests.find((request) => way !== null && request.way?.request === way.request) ?? null;
}

/** A recording does not grow. */
function lastMomentOf({ startMs, requests, events, gate }: LoadRecord): number {
  let lastMs = startMs;
  for (const { endMs } of requests) lastMs = Math.max(lastMs, endMs);
  for (const { atMs } of [...events, ...gate]) lastMs = Math.max(lastMs, atMs);
  return lastMs;
}
