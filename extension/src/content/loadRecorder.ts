import { requestedUrl, withoutFragment } from '../urls/imageUrls.ts';

/** More than a load asks for: a page that is never done may ask for news for days. */
const MAX_RECORDED = 5_000;
/** In Chromium only. */
const VISIBILITY = 'visibility-state';
const LCP = 'largest-contentful-paint';

/**
 * Keeps what the browser records of the document's load, and what would spoil its measurement. The browser's own list of
 * responses ends at 250 (Resource Timing, section 4.2), and a page may clear it: so it is observed.
 */
export class LoadRecorder {
  /** When each response had come, by URL. */
  readonly endsMs = new Map<string, number>();
  /** Of each body as it was sent, where the browser tells a page. */
  readonly bytes = new Map<string, number>();
  lcpMs: number | null = null;
  /** When the last fonts had been loaded, of any server; null for none. */
  fontsMs: number | null = null;
  /** Resolves when the document is out of sight, or was. */
  readonly hidden: Promise<void>;
  /** When it was first scrolled, or used by pointer or key; null for not. */
  scrolledMs: number | null = null;
  usedMs: number | null = null;
  private readonly url = location.href;
  private readonly listening = new AbortController();
  private readonly observers: readonly PerformanceObserver[];

  constructor() {
    const options = { capture: true, passive: true, signal: this.listening.signal } as const;
    this.hidden = new Promise((resolve) => {
      document.addEventListener('visibilitychange', () => document.visibilityState === 'hidden' && resolve(), options);
      if (document.visibilityState === 'hidden' || performance.getEntriesByType(VISIBILITY).some(({ name }) => name === 'hidden')) resolve();
    });
    // not of a box in the page
    window.addEventListener('scroll', ({ target }) => target === document && (this.scrolledMs ??= performance.now()), options);
    for (const type of ['pointerdown', 'keydown']) window.addEventListener(type, ({ isTrusted }) => isTrusted && (this.usedMs ??= performance.now()), options);
    document.fonts.addEventListener('loadingdone', ({ fontfaces }) => fontfaces.length > 0 && (this.fontsMs = performance.now()), options);
    this.observers = ['resource', LCP].filter((type) => PerformanceObserver.supportedEntryTypes.includes(type)).map((type) => {
      const observer = new PerformanceObserver((list) => this.take(list.getEntries()));
      observer.observe({ type, buffered: true });
      return observer;
    });
  }

  /** When the last response had come. */
  get lastMs(): number {
    return Math.max(0, ...this.endsMs.values());
  }

  /** Whether a script has given the document another address. */
  get hasLeft(): boolean {
    return withoutFragment(location.href) !== withoutFragment(this.url);
  }

  /** Keeps nothing from now on. */
  stop(): void {
    for (const observer of this.observers) {
      this.take(observer.takeRecords());
      observer.disconnect();
    }
    this.take(performance.getEntriesByType('resource'));
    this.listening.abort();
  }

  private take(entries: readonly PerformanceEntry[]): void {
    for (const entry of entries) {
      if (entry.entryType === LCP) this.lcpMs = entry.startTime;
      else {
        const url = requestedUrl(withoutFragment(entry.name), location.origin);
        if (this.bytes.size >= MAX_RECORDED && !this.bytes.has(url)) continue;
        const { responseEnd: endMs, encodedBodySize } = entry as PerformanceResourceTiming;
        this.bytes.set(url, Math.max(this.bytes.get(url) ?? 0, encodedBodySize));
        // asked for again, it was there already
        if (endMs > 0) this.endsMs.set(url, Math.min(this.endsMs.get(url) ?? endMs, endMs));
      }
    }
  }
}
