import { MAX_REPORTED_OBJECTS, type BackgroundMessage } from '../../../shared/src/protocol/page.ts';
import { createContentGate } from '#platform/contentGate.ts';
import { BackgroundPort } from './backgroundPort.ts';
import { currentView, readImagePlacements, readStylePlacements } from './layoutReader.ts';
import { firstLayout, watchLayout } from './layoutWatcher.ts';
import { preconnect } from './preconnect.ts';

/** A report is due at least this often while something is held: the sign of life that the background script must answer. */
const HEARTBEAT_MS = 1_000;
/** Scans of computed styles may take at most this share of the time. */
const STYLE_SCAN_SHARE = 0.05;

function main(): void {
  let laidOut = false;
  let reportQueued = false;
  let nextStyleScanMs = 0;

  const gate = createContentGate({ changed: queueReport });
  const port = new BackgroundPort(receive, () => gate.releaseAll());

  if (navigator.serviceWorker?.controller) {
    // its requests do not pass the gate as the page's, so holding would only lose control over them
    port.send({ type: 'standDown', reason: 'serviceWorker' });
    gate.releaseAll();
    return;
  }

  watchLayout(queueReport);
  void firstLayout().then(() => {
    laidOut = true;
    report();
  });
  setInterval(() => {
    if (gate.wanted().size > 0) report();
  }, HEARTBEAT_MS);

  function receive(message: BackgroundMessage): void {
    switch (message.type) {
      case 'held':
        gate.held(message.urls);
        queueReport();
        return;
      case 'release':
        for (const { url, urgency } of message.objects) gate.release(url, urgency);
        return;
      case 'releaseAll':
        gate.releaseAll();
        return;
      case 'preconnect':
        for (const origin of message.origins) preconnect(origin);
        return;
      case 'alive':
        return;
    }
  }

  function queueReport(): void {
    if (reportQueued || !laidOut) return;
    reportQueued = true;
    // after the events of this task, so that a burst makes one report
    setTimeout(() => {
      reportQueued = false;
      report();
    }, 0);
  }

  function report(): void {
    const wanted = gate.wanted();
    if (!laidOut) {
      if (wanted.size > 0) port.send({ type: 'layout', view: null, objects: [] });
      return;
    }
    const view = currentView();
    const placements = new Map(readImagePlacements(wanted, view));
    const unclaimed = new Set([...gate.unclaimed()].filter((url) => !placements.has(url)));
    for (const [url, placement] of scanStyles(unclaimed, view)) {
      if (wanted.has(url)) placements.set(url, placement);
      gate.usedInStyle(url);
    }
    if (wanted.size === 0) return;
    const objects = [...placements].slice(0, MAX_REPORTED_OBJECTS).map(([url, placement]) => ({ url, placement }));
    port.send({ type: 'layout', view, objects });
  }

  function scanStyles(wanted: ReadonlySet<string>, view: ReturnType<typeof currentView>): ReturnType<typeof readStylePlacements> {
    const startMs = performance.now();
    if (wanted.size === 0 || startMs < nextStyleScanMs) return new Map();
    const found = readStylePlacements(wanted, view, document.readyState === 'complete');
    const endMs = performance.now();
    nextStyleScanMs = endMs + (endMs - startMs) / STYLE_SCAN_SHARE;
    return found;
  }
}

main();
