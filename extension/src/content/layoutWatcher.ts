/** After the load something may still be put in: what comes later is not of the first screen. */
const REST_MS = 1_000;
/** The layout may have changed: say so at most this often while the document keeps changing. */
const CHANGE_MS = 100;
/** A hidden document makes no frames. */
const HIDDEN_CHECK_MS = 500;

/** Runs once, a while after the document has loaded, when the browser has nothing else to do. */
export function whenAtRest(run: () => void): void {
  const later = (): void => void setTimeout(() => requestIdleCallback(run), REST_MS);
  if (document.readyState === 'complete') later();
  else window.addEventListener('load', later, { once: true });
}

/**
 * Tells when images or the view may have changed: elements that come, arriving style sheets, scroll, resize, and a tab
 * that is seen again. Elements are watched until the page is at rest; a scroll is noticed after that too.
 *
 * @param changed called at most each 100 ms
 * @returns begins to watch elements again, once the page has come to rest
 */
export function watchLayout(changed: () => void): () => void {
  const soon = throttle(changed, CHANGE_MS);
  const mutations = new MutationObserver(soon);
  // `load` does not bubble, but passes the document on the way down
  const onLoad = (event: Event): void => {
    if (event.target instanceof HTMLLinkElement) soon();
  };
  const begin = (): void => {
    mutations.observe(document, { childList: true, subtree: true, attributeFilter: ['src', 'srcset', 'poster'] });
    document.addEventListener('load', onLoad, true);
    whenAtRest(() => {
      mutations.disconnect();
      document.removeEventListener('load', onLoad, true);
    });
  };
  document.addEventListener('DOMContentLoaded', changed, { once: true });
  document.addEventListener('visibilitychange', changed);
  window.addEventListener('scroll', soon, { capture: true, passive: true });
  window.addEventListener('resize', soon, { passive: true });
  begin();
  return begin;
}

/**
 * Resolves at the first frame: until the render-blocking style sheets are there the browser makes no frame, and
 * positions mean nothing. A hidden document makes no frames at all, so a time limit stands in for it.
 */
export function firstLayout(): Promise<void> {
  return new Promise((resolve) => {
    const check = (): void => {
      // the body starts empty (and an XML document has none): a frame before it has content tells nothing. Of one that is
      // loaded it is all there is: to wait on would have the browser make frames for as long as the page is open
      if (document.querySelector('body > *') !== null || document.readyState === 'complete' || !(document instanceof HTMLDocument)) resolve();
      else next();
    };
    const next = (): void => {
      if (document.visibilityState === 'hidden') setTimeout(check, HIDDEN_CHECK_MS);
      else requestAnimationFrame(check);
    };
    next();
  });
}

/** Calls once after the first call of a burst. */
export function throttle(run: () => void, intervalMs: number): () => void {
  let isScheduled = false;
  return () => {
    if (isScheduled) return;
    isScheduled = true;
    setTimeout(() => {
      isScheduled = false;
      run();
    }, intervalMs);
  };
}
