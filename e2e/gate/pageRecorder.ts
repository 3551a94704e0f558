/** Functions that run in the page; each is sent there as text, so it may use nothing from outside itself. */

export interface FrameView {
  /** Nothing that its window's `load` waits for is on the way. */
  readonly isLoaded: boolean;
  /** How often the window's `load` fired. */
  readonly loads: number;
  /** `load` and `error` as the page sees them, per element, in order. */
  readonly events: Readonly<Record<string, readonly string[]>>;
  /** Each image element: size, completeness and URLs. */
  readonly images: Readonly<Record<string, string>>;
}

interface Recorded {
  __loads?: number;
  __events?: Record<string, string[]>;
}

/** Starts recording; before any other script of the page, as it would see events: after those of an extension. */
export function recordEvents(): void {
  const own = window as unknown as Recorded;
  own.__loads = 0;
  const events: Record<string, string[]> = (own.__events = {});
  window.addEventListener('load', () => (own.__loads = (own.__loads ?? 0) + 1));
  for (const type of ['load', 'error']) {
    document.addEventListener(
      type,
      (event) => {
        const { target } = event;
        if (!(target instanceof Element)) return;
        const name = target.id || target.tagName.toLowerCase();
        (events[name] ??= []).push(type);
      },
      true,
    );
  }
}

/** For the head of a page. */
export const RECORDER = `<script>(${recordEvents.toString()})()</script>`;

/** What the frame looks like now. */
export function readFrame(): FrameView {
  const own = window as unknown as Recorded;
  // a visit's prefix and the port differ between visits
  const plain = (url: string): string => url.replace(/:\d+\/v\d+\//, '/').replace(/^blob:.*/, 'blob:');
  const images: Record<string, string> = {};
  for (const [index, image] of [...document.querySelectorAll('img')].entries()) {
    const state = image.complete ? 'complete' : 'loading';
    images[image.id || String(index)] = `${image.naturalWidth}x${image.naturalHeight} ${image.width}x${image.height} ${state} ${plain(image.currentSrc)} ${plain(image.src)}`;
  }
  const events = Object.fromEntries(Object.entries(own.__events ?? {}).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { isLoaded: document.readyState === 'complete', loads: own.__loads ?? 0, events, images };
}
