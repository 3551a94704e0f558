import { estimateImageBytes } from '../estimation/bytes.ts';
import type { FetchUrgency, LayoutReport } from '../protocol/page.ts';
import type { Plan } from '../scheduling/plan.ts';
import { RankClass } from '../scheduling/rank.ts';
import { selectReleases, type Outstanding } from '../scheduling/releaseWindow.ts';
import type { Rect } from './geometry.ts';
import type { PageObject, PageSnapshot, Placement } from './objects.ts';

/** A release that the browser has not been seen to request within this time was answered from its memory cache, or is not wanted any more. */
const RELEASE_START_MS = 1_000;
/** What makes no progress for this long does not use the link (a server that hangs), so it must not hold up anything. */
const STALLED_MS = 5_000;

interface HeldObject {
  readonly id: number;
  readonly url: string;
  placement: Placement;
}

interface ReleasedObject {
  readonly bytes: number;
  readonly urgent: boolean;
  readonly releasedMs: number;
  requested: boolean;
}

export interface Release {
  readonly url: string;
  readonly urgency: FetchUrgency;
}

const UNPLACED: Placement = { state: 'unplaced' };

/**
 * One document's held and released objects. Time comes from outside, in milliseconds of a monotonic clock; URLs are without fragment.
 *
 * An object is held from `hold` until `release` names it; it then counts as on the way until `ended`, or until it stalls.
 */
export class PageModel {
  private readonly held = new Map<string, HeldObject>();
  private readonly released = new Map<string, ReleasedObject>();
  private view: Rect | null = null;
  private nextId = 0;

  get heldCount(): number {
    return this.held.size;
  }

  get heldUrls(): Iterable<string> {
    return this.held.keys();
  }

  /** @returns false when the object is held or was released already */
  hold(url: string): boolean {
    if (this.held.has(url) || this.released.has(url)) return false;
    this.held.set(url, { id: this.nextId, url, placement: UNPLACED });
    this.nextId += 1;
    return true;
  }

  layout(report: LayoutReport): void {
    this.view = report.view;
    for (const { url, placement } of report.objects) {
      const object = this.held.get(url);
      if (object !== undefined) object.placement = placement;
    }
  }

  snapshot(): PageSnapshot {
    const objects: PageObject[] = [];
    for (const { id, url, placement } of this.held.values()) objects.push({ id, url, index: id, placement });
    return { view: this.view, objects };
  }

  /**
   * Releases what the plan and the window allow now. Objects that the plan does not know yet wait for the next one.
   *
   * @param beside what else is on the way on this link: layout files, other frames
   */
  release(plan: Plan, beside: Outstanding, bdpBytes: number, nowMs: number): Release[] {
    const byId = new Map<number, HeldObject>();
    for (const object of this.held.values()) byId.set(object.id, object);
    const current = plan.filter(({ id }) => byId.has(id));
    const classOf = new Map(current.map(({ id, rankClass }) => [id, rankClass]));
    const own = this.outstanding(nowMs);
    const ids = selectReleases({
      plan: current,
      bytesOf: (id) => expectedBytes(byId.get(id)),
      outstanding: { urgentBytes: own.urgentBytes + beside.urgentBytes, otherBytes: own.otherBytes + beside.otherBytes },
      bdpBytes,
    });
    return ids.flatMap((id) => {
      const object = byId.get(id);
      const rankClass = classOf.get(id);
      if (object === undefined || rankClass === undefined) return [];
      this.held.delete(object.url);
      const urgent = rankClass === RankClass.inView;
      this.released.set(object.url, { bytes: expectedBytes(object), urgent, releasedMs: nowMs, requested: false });
      return [{ url: object.url, urgency: URGENCY_OF[rankClass] }];
    });
  }

  /** Releases everything, in plan-less document order; for when holding must end. */
  releaseAll(nowMs: number): Release[] {
    const releases: Release[] = [];
    for (const object of this.held.values()) {
      this.released.set(object.url, { bytes: expectedBytes(object), urgent: false, releasedMs: nowMs, requested: false });
      releases.push({ url: object.url, urgency: 'auto' });
    }
    this.held.clear();
    return releases;
  }

  /** The browser has asked for a released object. */
  requested(url: string): void {
    const object = this.released.get(url);
    if (object !== undefined) object.requested = true;
  }

  /** A released object has arrived, or failed. It stays known, so that it is not held again. */
  ended(url: string): void {
    const object = this.released.get(url);
    if (object !== undefined) this.released.set(url, { ...object, bytes: 0, requested: true });
  }

  /** What is on the way of the released objects, in estimated bytes. */
  outstanding(nowMs: number): Outstanding {
    let urgentBytes = 0;
    let otherBytes = 0;
    for (const { bytes, urgent, releasedMs, requested } of this.released.values()) {
      const patienceMs = requested ? STALLED_MS + (bytes / ASSUMED_SLOWEST_BYTES_PER_MS) : RELEASE_START_MS;
      if (nowMs - releasedMs > patienceMs) continue;
      if (urgent) urgentBytes += bytes;
      else otherBytes += bytes;
    }
    return { urgentBytes, otherBytes };
  }
}

/** GPRS at 40 kbit/s: a transfer that is slower than this counts as stalled. */
const ASSUMED_SLOWEST_BYTES_PER_MS = 5;

const URGENCY_OF: Readonly<Record<RankClass, FetchUrgency>> = {
  [RankClass.inView]: 'high',
  [RankClass.unplaced]: 'auto',
  [RankClass.offScreen]: 'low',
  [RankClass.undisplayed]: 'low',
};

function expectedBytes(object: HeldObject | undefined): number {
  if (object === undefined) return 0;
  return estimateImageBytes({ id: object.id, url: object.url, index: object.id, placement: object.placement });
}
