import type { ContentMessage, PageTiming } from '../../../shared/src/protocol/contentSchema.ts';
import { firstScreenNeeds } from './firstScreenNeeds.ts';
import { throttle, whenAtRest } from './layoutWatcher.ts';
import { shownPlaces } from './shownPlaces.ts';

/** A map that follows a scroll has to be told where the view is. */
const FOLLOW_MS = 100;

/** What a panel of the developer tools shows of this document beside its layout. While none is open, nothing is listened to. */
export class Inspection {
  private readonly send: (message: ContentMessage) => void;
  private watched: AbortController | null = null;
  private isAtRest = false;

  constructor(send: (message: ContentMessage) => void) {
    this.send = send;
  }

  watch(isWatched: boolean): void {
    this.watched?.abort();
    this.watched = isWatched ? new AbortController() : null;
    if (this.watched !== null) this.begin(this.watched.signal);
  }

  private begin(signal: AbortSignal): void {
    const tellTiming = (): void => this.send({ type: 'timing', ...pageTiming() });
    const tellPlaces = throttle(() => void this.tellPlaces(signal), FOLLOW_MS);
    tellTiming();
    const paints = new PerformanceObserver(tellTiming);
    paints.observe({ type: 'paint', buffered: true });
    signal.addEventListener('abort', () => paints.disconnect());
    document.addEventListener('DOMContentLoaded', tellTiming, { signal });
    // after the listeners of the page: its own time is not of the load
    window.addEventListener('load', () => setTimeout(tellTiming), { signal });
    window.addEventListener('scroll', tellPlaces, { capture: true, passive: true, signal });
    window.addEventListener('resize', tellPlaces, { passive: true, signal });
    whenAtRest(() => {
      this.isAtRest = true;
      if (signal.aborted) return;
      tellTiming();
      tellPlaces();
      void firstScreenNeeds().then((needs) => {
        if (!signal.aborted) this.send({ type: 'inspected', objects: [...needs.objects], origins: [...needs.origins] });
      });
    });
  }

  /** Until the page is at rest the layout tells where images stand. */
  private async tellPlaces(signal: AbortSignal): Promise<void> {
    const places = this.isAtRest ? await shownPlaces() : null;
    if (places !== null && !signal.aborted) this.send({ type: 'shown', ...places });
  }
}

function pageTiming(): PageTiming {
  const paints = new Map(performance.getEntriesByType('paint').map(({ name, startTime }) => [name, startTime]));
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const reached = (ms: number | undefined): number | null => (ms === undefined || ms === 0 ? null : ms);
  return {
    startMs: performance.timeOrigin,
    firstPaintMs: paints.get('first-paint') ?? null,
    contentfulPaintMs: paints.get('first-contentful-paint') ?? null,
    parsedMs: reached(navigation?.domContentLoadedEventStart),
    loadedMs: reached(navigation?.loadEventStart),
  };
}
