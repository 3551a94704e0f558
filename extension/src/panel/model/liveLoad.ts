import type { Rect } from '../../../../shared/src/page/geometry.ts';
import type { RequestEvent } from '../../../../shared/src/requests/requestEvent.ts';
import { RequestWayTable, type RequestWays } from '../../../../shared/src/requests/requestWays.ts';
import type { GateEvent, HelpState, PanelNews } from '../../messages/panel.ts';
import type { BrowserRequest } from './browserRequest.ts';
import { MAX_EVENTS, MAX_PLACES, MAX_REQUESTS, MAX_SAMPLES, emptyRecord, type LoadRecord } from './loadRecord.ts';

/** One load while it is told of. */
export class LiveLoad {
  readonly startMs: number;
  private readonly told: LoadRecord;
  private readonly table = new RequestWayTable();
  private readonly places = new Map<string, Rect | null>();
  private view: Rect | null = null;
  private page: { width: number; height: number } | null = null;
  /** Whether there was more than is kept. */
  isCut = false;

  constructor(startMs: number, url: string | null = null) {
    this.startMs = startMs;
    this.told = { ...emptyRecord(startMs), url };
  }

  /** Of a file. */
  static of(record: LoadRecord): LiveLoad {
    const load = new LiveLoad(record.startMs, record.url);
    const { requests, events, gate, links, timing, needs, places, isHelped, twin } = record;
    Object.assign(load.told, { gate: [...gate], links: [...links], timing, needs, isHelped, twin });
    for (const request of requests) load.request(request);
    load.events(events);
    if (places !== null) load.placed(places.view, places.page, places.images);
    return load;
  }

  get record(): LoadRecord {
    const images = [...this.places].map(([url, rect]) => ({ url, rect }));
    return { ...this.told, places: this.view === null ? null : { view: this.view, page: this.page, images } };
  }

  get ways(): RequestWays {
    return this.table.ways;
  }

  get url(): string | null {
    return this.told.url;
  }

  set url(url: string | null) {
    this.told.url = url;
  }

  request(request: BrowserRequest): void {
    if (this.told.requests.length >= MAX_REQUESTS) this.isCut = true;
    else this.told.requests.push(request);
  }

  /** By the wall clock. */
  events(events: readonly RequestEvent[]): void {
    for (const event of events) {
      if (this.told.events.length >= MAX_EVENTS) {
        this.isCut = true;
        return;
      }
      this.told.events.push(event);
      this.table.add(event);
    }
  }

  /** All but the requests of the helper, which are not of one page alone. */
  hear(news: Exclude<PanelNews, { readonly type: 'requests' }>): void {
    switch (news.type) {
      case 'gate':
        this.gate(news.events);
        break;
      case 'link':
        this.told.links.push(news.link);
        // the latest says how the link is
        if (this.told.links.length > MAX_SAMPLES) this.told.links.shift();
        break;
      case 'state':
        this.helped(news.state);
        break;
      case 'timing': {
        const { type: _, ...timing } = news;
        this.told.timing = timing;
        break;
      }
      case 'inspected':
        this.told.needs = news.objects;
        break;
      case 'shown':
        this.placed(news.view, news.page, news.images);
        break;
      case 'layout':
        if (news.view === null) return;
        this.placed(news.view, this.page, news.images.flatMap(({ url, placement }) => (placement.state === 'placed' ? { url, rect: placement.rect } : placement.state === 'undisplayed' ? { url, rect: null } : [])));
        break;
    }
  }

  /** A load is helped as it was when it began. */
  helped({ isHelping }: HelpState): void {
    this.told.isHelped ??= isHelping;
  }

  /** What belongs to a load that has begun then. */
  since(startMs: number): Pick<LoadRecord, 'requests' | 'events' | 'gate' | 'links'> {
    const { requests, events, gate, links } = this.told;
    return {
      requests: requests.filter((request) => request.startMs >= startMs),
      events: events.filter(({ atMs }) => atMs >= startMs),
      gate: gate.filter(({ atMs }) => atMs >= startMs),
      // the latest says how the link is
      links: links.slice(-1),
    };
  }

  /** Without what belongs to a load that has begun then. */
  until(startMs: number): LiveLoad {
    const { record } = this;
    return LiveLoad.of({ ...record, requests: record.requests.filter((request) => request.startMs < startMs), events: record.events.filter(({ atMs }) => atMs < startMs) });
  }

  private gate(events: readonly GateEvent[]): void {
    const taken = events.slice(0, MAX_SAMPLES - this.told.gate.length);
    this.isCut ||= taken.length < events.length;
    this.told.gate.push(...taken);
  }

  private placed(view: Rect, page: LiveLoad['page'], images: readonly { readonly url: string; readonly rect: Rect | null }[]): void {
    [this.view, this.page] = [view, page];
    for (const { url, rect } of images) this.places.set(url, rect);
    // where a page that goes on and on began
    for (const url of this.places.keys()) {
      if (this.places.size <= MAX_PLACES) break;
      this.places.delete(url);
    }
  }
}
