import type { FirstScreenTiming } from '../../../shared/src/protocol/firstScreenTimingSchema.ts';
import type { Random } from '../../../shared/src/statistics/random.ts';
import type { Side } from '../messages/measuring.ts';
import type { FirstScreen } from '../settings/firstScreens.ts';
import type { Influence } from './measuring/measuring.ts';

/** Of so many visits one is loaded without Firstscreen, by chance, so that no habit meets it always. */
const EACH_VISIT = 10;
/** For so long at most pages go without: nobody may have opened one. */
const WITHOUT_LIMIT_MS = 300_000;

export interface QuietVisitsHost {
  readonly random: Random;
  /** Whether Firstscreen does something for pages now. */
  helps(): boolean;
  /** The first screen of the page that a tab shows took so long. */
  took(tabId: number, url: string, firstScreen: FirstScreen): void;
  /** A visit to this host is worth keeping. */
  keep(host: string, side: Side, isrtMs: number): void;
  /** `influence` is another one now. */
  changed(): void;
}

/**
 * Has the pages that the user visits timed, for the popup and, where that is wanted, the history of their sites; and, where that is wanted, has one visit in
 * ten go without Firstscreen: the next page after one that has come to rest, until it has itself. A proxy script can not
 * tell tabs apart, so for that long all tabs go without.
 */
export class QuietVisits {
  private readonly host: QuietVisitsHost;
  private times = false;
  private keeps = false;
  private compares = false;
  private readonly visits = new Map<number, Side>();
  private without: ReturnType<typeof setTimeout> | undefined;

  constructor(host: QuietVisitsHost) {
    this.host = host;
  }

  /** What of all that is wanted: to time visits, to keep them, and to have some go without Firstscreen. */
  want({ times, keeps, compares }: { readonly times: boolean; readonly keeps: boolean; readonly compares: boolean }): void {
    [this.times, this.keeps, this.compares] = [times, keeps, compares];
    if (!compares) this.goOn();
  }

  get influence(): Influence | null {
    return this.without === undefined ? null : { side: 'without', usesMemory: true };
  }

  /** Whether the page that a tab begins to show is to be timed. */
  asks(tabId: number): boolean {
    const side = this.side();
    if (!this.times || side === null) return false;
    this.visits.set(tabId, side);
    return true;
  }

  measured(tabId: number, url: string, timing: FirstScreenTiming): void {
    const side = this.visits.get(tabId);
    if (side === undefined) return;
    // not where it has changed meanwhile
    const isWhole = side === this.side();
    this.visits.delete(tabId);
    if (this.times && isWhole && timing.outcome === 'measured') {
      const { isrtMs } = timing;
      this.host.took(tabId, url, { isrtMs, side });
      if (this.keeps) this.host.keep(new URL(url).host, side, isrtMs);
    }
    if (side === 'without') this.goOn();
    else if (this.compares && this.without === undefined && this.host.random() < 1 / EACH_VISIT) this.goWithout();
  }

  forgetTab(tabId: number): void {
    if (this.visits.get(tabId) === 'without') this.goOn();
    this.visits.delete(tabId);
  }

  /** Null where neither is so: Firstscreen stands aside by itself, or a change is under way. */
  private side(): Side | null {
    if (this.without !== undefined) return this.host.helps() ? null : 'without';
    return this.host.helps() ? 'with' : null;
  }

  private goWithout(): void {
    this.without = setTimeout(() => this.goOn(), WITHOUT_LIMIT_MS);
    this.host.changed();
  }

  private goOn(): void {
    if (this.without === undefined) return;
    clearTimeout(this.without);
    this.without = undefined;
    this.host.changed();
  }
}
