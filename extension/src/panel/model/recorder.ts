import type { HelpState, PanelNews } from '../../messages/panel.ts';
import type { MeasuredLoad } from '../../settings/measuredPages.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';
import type { BrowserRequest } from './browserRequest.ts';
import { LiveLoad } from './liveLoad.ts';
import { loadModel } from './loadModel.ts';

/** The clocks of developer tools and page differ by rounding. */
const CLOCK_SLACK_MS = 5;
/** A page's own document is asked for first of all. */
const DOCUMENT_MS = 50;
const MAX_SUMMARIES = 100;

/**
 * Follows the loads of one tab: a load begins when its document says so, or where none can, when the browser has navigated.
 * Of loads that are over the latest of each page with help, and the latest without, are kept as sums.
 */
export class Recorder {
  load: LiveLoad | null = null;
  /** Nobody has said yet when it began. */
  private isProvisional = false;
  /** The browser has said that it has navigated there. */
  private isConfirmed = false;
  private before: LiveLoad | null = null;
  private state: HelpState | null = null;
  private readonly summaries = new Map<string, MeasuredLoad>();
  private nextId = 0;

  /** The developer tools tell of a request that has ended; its id is given here. */
  request(request: BrowserRequest): void {
    if (this.isProvisional && this.load !== null && request.kind === 'document' && request.startMs < this.load.startMs) this.beginUnsure(request.startMs);
    const load = this.current(request.startMs);
    const isOfBefore = request.startMs < load.startMs - CLOCK_SLACK_MS && !this.isProvisional;
    (isOfBefore ? this.before : load)?.request({ ...request, id: this.nextId++ });
    // of a page that was there before the panel nobody tells of a navigation
    if (load.url === null && !isOfBefore && request.kind === 'document' && request.startMs < load.startMs + DOCUMENT_MS) load.url = request.url;
  }

  hear(news: PanelNews, nowMs: number): void {
    if (news.type === 'state') this.state = news.state;
    if (news.type === 'timing') this.timed(news.startMs, nowMs);
    const load = this.current(nowMs);
    if (news.type === 'requests') load.events(news.requests.events.map((event) => ({ ...event, atMs: event.atMs + news.requests.wallOffsetMs })));
    // a page that comes out of the back/forward cache tells of a load of long ago
    else if (news.type !== 'timing' || news.startMs >= load.startMs - CLOCK_SLACK_MS) load.hear(news);
  }

  /** The tab shows another document, of this URL. */
  navigated(url: string, nowMs: number): void {
    const known = this.load?.url ?? null;
    // its document, or its request, was heard of first
    const isKnown = this.load !== null && !this.isConfirmed && (known === null || withoutFragment(known) === withoutFragment(url));
    if (!isKnown) {
      this.isProvisional = false;
      this.beginUnsure(nowMs);
    }
    this.isConfirmed = true;
    if (this.load !== null) this.load.url = url;
  }

  /** What there is is forgotten; all that comes is of the same load. */
  clear(): void {
    if (this.load === null) return;
    const { startMs, url } = this.load;
    this.before = null;
    this.load = new LiveLoad(startMs, url);
    if (this.state !== null) this.load.helped(this.state);
  }

  /** The latest load of the same page that was not helped, if this one is, and the other way around. */
  get twin(): MeasuredLoad | null {
    const { url, isHelped } = this.load?.record ?? { url: null, isHelped: null };
    return url === null || isHelped === null ? null : (this.summaries.get(keyOf(url, !isHelped)) ?? null);
  }

  private current(nowMs: number): LiveLoad {
    return this.load ?? this.beginUnsure(nowMs);
  }

  /** It may turn out to have begun earlier. */
  private beginUnsure(startMs: number): LiveLoad {
    const load = this.begin(startMs, startMs);
    this.isProvisional = true;
    return load;
  }

  private timed(startMs: number, nowMs: number): void {
    if (this.load === null || this.isProvisional || startMs > this.load.startMs + CLOCK_SLACK_MS) this.begin(startMs, nowMs);
  }

  /** What has come already of the new load was taken for the old one's. */
  private begin(startMs: number, nowMs: number): LiveLoad {
    const sources = (this.isProvisional ? [this.before, this.load] : [this.load]).flatMap((load) => load ?? []);
    const next = new LiveLoad(startMs, this.isProvisional ? (this.load?.url ?? null) : null);
    for (const source of sources) {
      const { requests, events, gate, links } = source.since(startMs - CLOCK_SLACK_MS);
      for (const request of requests) next.request(request);
      next.events(events);
      next.hear({ type: 'gate', events: gate });
      for (const link of links) next.hear({ type: 'link', link });
    }
    if (this.state !== null) next.helped(this.state);
    if (!this.isProvisional) [this.before, this.isConfirmed] = [this.load, false];
    // again once it is sure where the next one begins
    if (this.before !== null) this.keep(this.before.until(startMs - CLOCK_SLACK_MS), nowMs);
    [this.load, this.isProvisional] = [next, false];
    return next;
  }

  private keep(load: LiveLoad, nowMs: number): void {
    const { record } = load;
    const { firstScreenMs, shares } = loadModel(record, load.ways, nowMs);
    if (record.url === null || record.isHelped === null || firstScreenMs === null || shares === null) return;
    const key = keyOf(record.url, record.isHelped);
    this.summaries.delete(key);
    this.summaries.set(key, { firstScreenMs, shares });
    const [oldest] = this.summaries.keys();
    if (this.summaries.size > MAX_SUMMARIES && oldest !== undefined) this.summaries.delete(oldest);
  }
}

function keyOf(url: string, isHelped: boolean): string {
  return `${isHelped ? 'with' : 'without'} ${withoutFragment(url)}`;
}
