import type { Rect } from '../../../shared/src/page/geometry.ts';
import type { BackgroundMessage, LayoutReport } from '../../../shared/src/protocol/page.ts';
import { createContentGate } from '#platform/contentGate.ts';
import { isSmallFormat } from '../platform/smallFormats.ts';
import { BackgroundPort } from './backgroundPort.ts';
import { ImageWatcher } from './imageWatcher.ts';
import { firstScreenNeeds } from './firstScreenNeeds.ts';
import { FontConnections } from './fontConnections.ts';
import { currentView, findInView, isInView, readStylePlacements } from './layoutReader.ts';
import { afterFrame, firstLayout, watchLayout, whenAtRest, whenParsed } from './layoutWatcher.ts';
import { Pace } from './pace.ts';
import { preconnect } from './preconnect.ts';
import { hidePreload, preload } from './preload.ts';
import { ReportedLayout } from './reportedLayout.ts';

/** A report is due at least this often while something is held: the sign of life that the background script must answer. */
const HEARTBEAT_MS = 1_000;
/** Reading the layout may take at most this share of the time; scans of computed styles have a share of their own. */
const REPORT_SHARE = 0.2;

function main(): void {
  let laidOut = false;
  let reportQueued = false;
  /** At the last look some of what is wanted had no element: only another look tells whether a style uses it. */
  let hasUnclaimed = false;
  const reportPace = new Pace(REPORT_SHARE);
  const reported = new ReportedLayout();
  const images = new ImageWatcher(queueReport);
  let scanTimer: ReturnType<typeof setTimeout> | undefined;

  const gate = createContentGate({
    changed: () => {
      images.wantedOthers();
      queueReport();
    },
    isLaidOut: () => laidOut,
    placementInView: (elements) => (laidOut ? findInView(elements, currentView()) : null),
    released: (placements) => port.send({ type: 'released', objects: [...placements].map(([url, placement]) => ({ url, placement })) }),
  });
  const styleScanPace = new Pace(gate.styleScanShare);
  const port = new BackgroundPort(receive, () => gate.abandoned());

  // undefined in documents that are not a secure context
  const workers = navigator.serviceWorker as ServiceWorkerContainer | undefined;
  if (workers?.controller) {
    // its requests do not pass the gate as the page's, so holding would only lose control over them
    port.send({ type: 'standDown', reason: 'serviceWorker' });
    gate.releaseAll();
    return;
  }

  whenParsed(() => {
    // from now on what no element claims is a style's
    images.wantedOthers();
    if (window.top === window) port.send({ type: 'parsed' });
  });
  const fonts = new FontConnections();
  watchLayout(
    (mutations) => images.mutated(mutations),
    (event, link) => {
      if (hidePreload(event, link)) return false;
      if (link.sheet !== null) fonts.connectFor(link.sheet);
      return true;
    },
    queueReport,
  );
  void firstLayout().then(() => {
    laidOut = true;
    // at once: the frame that is being made may keep the main thread for long
    report('changes');
  });
  setInterval(() => {
    if (gate.wanted().size > 0) report('signOfLife');
  }, HEARTBEAT_MS);

  function receive(message: BackgroundMessage): void {
    switch (message.type) {
      case 'held':
        gate.held(message.urls);
        // a place that was reported before the background script knew of the object was not kept
        reported.forget(message.urls);
        images.forgetTold(message.urls);
        queueReport();
        return;
      case 'release':
        for (const { url, urgency } of message.objects) gate.release(url, urgency);
        return;
      case 'releaseAll':
        gate.releaseAll();
        return;
      case 'preconnect':
        for (const origin of message.origins) preconnect(origin, 'include');
        return;
      case 'holding':
        gate.holding(message.on, message.rttMs, message.passed);
        return;
      case 'expected':
        preload(message.objects.filter(({ kind }) => kind !== 'image' || gate.preloadsImages));
        return;
      case 'learn':
        whenAtRest(() => port.send({ type: 'needed', objects: firstScreenNeeds() }));
        return;
      case 'alive':
        return;
    }
  }

  function queueReport(): void {
    // a frame that nobody needs would cost the page a layout
    if (reportQueued || !laidOut || !isAnythingWanted()) return;
    reportQueued = true;
    setTimeout(() => {
      afterFrame(() => {
        reportQueued = false;
        report('changes');
      });
    }, reportPace.waitMs());
  }

  function isAnythingWanted(): boolean {
    return gate.wanted().size > 0 || gate.unclaimed().size > 0;
  }

  function report(due: 'changes' | 'signOfLife'): void {
    if (!isAnythingWanted()) return;
    const wanted = gate.wanted();
    if (!laidOut) {
      if (wanted.size > 0) port.send({ type: 'layout', view: null, objects: [] });
      return;
    }
    const view = currentView();
    const changes = images.hasNews(view) || hasUnclaimed ? changesIn(view, wanted) : null;
    if (wanted.size > 0 && (changes !== null || due === 'signOfLife')) port.send({ type: 'layout', ...(changes ?? { view, objects: [] }) });
  }

  /** Reads the layout. @returns what the background script does not know of it; null when it knows all */
  function changesIn(view: Rect, wanted: ReadonlySet<string>): LayoutReport | null {
    const placements = reportPace.run(() => new Map(images.read(wanted, view)));
    const unclaimed = new Set([...gate.unclaimed()].filter((url) => !images.has(url)));
    hasUnclaimed = unclaimed.size > 0;
    for (const [url, placement] of scanStyles(unclaimed, view)) {
      if (wanted.has(url)) placements.set(url, placement);
      gate.usedInStyle(url);
    }
    const isParsed = document.readyState !== 'loading';
    for (const url of wanted) {
      // until then a photograph may be of an element that the parser has not reached; an icon is rather a style's
      if ((isParsed || isSmallFormat(url)) && !images.has(url) && !placements.has(url) && !reported.has(url)) placements.set(url, { state: 'styled' });
    }
    gate.releaseInView(new Map([...placements].filter(([, placement]) => isInView(placement, view))));
    return reported.update(view, placements);
  }

  function scanStyles(wanted: ReadonlySet<string>, view: ReturnType<typeof currentView>): ReturnType<typeof readStylePlacements> {
    if (wanted.size === 0) return new Map();
    const waitMs = styleScanPace.waitMs();
    if (waitMs > 0) {
      // nothing else may ever ask for a report again
      scanTimer ??= setTimeout(() => {
        scanTimer = undefined;
        queueReport();
      }, waitMs);
      return new Map();
    }
    return styleScanPace.run(() => readStylePlacements(wanted, view, document.readyState === 'complete'));
  }
}

main();
