/** Runs when the document is parsed, or now. */
export function whenParsed(run: () => void): void {
  if (document.readyState === 'loading') document.addEventListener('DOMContentLoaded', run, { once: true });
  else run();
}

/** After the load something may still be put in: what comes later is not of the first screen. */
const REST_MS = 1_000;

/** Runs once, a while after the document has loaded, when the browser has nothing else to do. */
export function whenAtRest(run: () => void): void {
  const later = (): void => void setTimeout(() => requestIdleCallback(run), REST_MS);
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later, { once: true });
}

/** Layout may have changed: say so at most this often while the document keeps changing. */
const MUTATION_MS = 100;

/**
 * Tells when the layout or the view may have changed: DOM mutations, arriving style sheets and images, scroll and resize.
 *
 * @param mutated elements came or went, or got other attributes
 * @param linkLoaded a style sheet has come, or something else that a link asks for; says whether it is the page's own
 * @param changed called at most once a frame
 */
export function watchLayout(mutated: (mutations: readonly MutationRecord[]) => void, linkLoaded: (event: Event, link: HTMLLinkElement) => boolean, changed: () => void): void {
  const soon = throttle(changed, MUTATION_MS);
  const onMutation = (mutations: readonly MutationRecord[]): void => {
    mutated(mutations);
    soon();
  };
  new MutationObserver(onMutation).observe(document, { childList: true, subtree: true, attributeOldValue: true, attributeFilter: ['class', 'style', 'src', 'srcset', 'poster', 'hidden', 'width', 'height'] });
  // `load` of style sheets and images does not bubble, but passes the document on the way down
  const onLoad = (event: Event): void => {
    if (!(event.target instanceof HTMLLinkElement) || linkLoaded(event, event.target)) soon();
  };
  document.addEventListener('load', onLoad, true);
  document.addEventListener('DOMContentLoaded', changed, { once: true });
  window.addEventListener('scroll', throttle(changed, 0), { capture: true, passive: true });
  window.addEventListener('resize', throttle(changed, 0), { passive: true });
}

/**
 * Resolves at the first frame: until the render-blocking style sheets are there the browser makes no frame, and positions mean nothing.
 * A hidden document makes no frames at all, so a time limit stands in for it.
 */
export function firstLayout(): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      // the body starts empty (and an XML document has none): a frame before it has content tells nothing
      if (document.querySelector('body > *') !== null || !(document instanceof HTMLDocument)) resolve();
      else next();
    };
    const next = (): void => {
      if (document.visibilityState === 'hidden') setTimeout(check, HIDDEN_CHECK_MS);
      else requestAnimationFrame(check);
    };
    next();
  });
}

/** Calls when the next frame has been made: its layout is then to be had for nothing. A hidden document makes none. */
export function afterFrame(run: () => void): void {
  if (document.visibilityState === 'hidden') run();
  else requestAnimationFrame(() => setTimeout(run, 0));
}

const HIDDEN_CHECK_MS = 500;

/** Calls at once when nothing was called lately, and once more after the last call of a burst; intervals of 0 mean one frame. */
function throttle(run: () => void, intervalMs: number): () => void {
  let scheduled = false;
  return () => {
    if (scheduled) return;
    scheduled = true;
    const fire = (): void => {
      scheduled = false;
      run();
    };
    if (intervalMs === 0) requestAnimationFrame(fire);
    else setTimeout(fire, intervalMs);
  };
}
