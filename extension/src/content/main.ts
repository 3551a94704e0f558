import type { FirstScreenNeeds } from '../../../shared/src/memory/neededObject.ts';
import type { BackgroundMessage } from '../../../shared/src/protocol/content.ts';
import { BackgroundPort } from './backgroundPort.ts';
import { DrawnImages } from './drawnImages.ts';
import { firstScreenNeeds } from './firstScreenNeeds.ts';
import { needsInView, timeFirstScreen } from './firstScreenTiming.ts';
import { ImageWatcher } from './imageWatcher.ts';
import { Inspection } from './inspection.ts';
import { makeLazy } from './lazyImages.ts';
import { LinkWatcher } from './linkWatcher.ts';
import { firstLayout, watchLayout, whenAtRest } from './layoutWatcher.ts';
import { NeedsTelling } from './needsTelling.ts';
import { ownWorkers } from './ownWorkers.ts';
import { ReportedLayout } from './reportedLayout.ts';
import { TimedOnce } from './timedOnce.ts';

/** Says where images stand, once somebody wants to know; until then it does nothing in the page but keep a port. */
function main(): void {
  const reported = new ReportedLayout();
  const drawn = new DrawnImages((answered) => {
    look = answered;
    images.collect();
  });
  const images = new ImageWatcher(() => drawn.elements, report, read);
  const links = new LinkWatcher((link) => {
    // what a worker of the page's own answers nobody can ask for ahead
    if (!workers?.controller) port.send({ type: 'pointed', ...link });
  });
  const inspection = new Inspection((message) => port.send(message));
  /** The last question that was heard, and the one that what was read last answers. */
  let asked = 0;
  let look = 0;
  let isLaidOut = false;
  let watchAgain: (() => void) | null = null;
  /** Read once for all who ask. */
  let needs: Promise<FirstScreenNeeds> | null = null;
  const timed = new TimedOnce();
  const needed = new NeedsTelling(needsInView, ({ objects, origins }) => port.send({ type: 'needed', objects: [...objects], origins: [...origins] }));
  const workers = ownWorkers();
  const port = new BackgroundPort(receive, () => {
    timed.met();
    reported.forget();
    // of another background script, which counts anew
    [asked, look] = [0, 0];
    needs = null;
    // after the constructor, which may call this
    queueMicrotask(standDownIfServed);
    links.watch(false);
    inspection.watch(false);
  });
  workers?.addEventListener('controllerchange', standDownIfServed);

  function standDownIfServed(): void {
    // its requests do not pass the gate as the page's, so holding would only lose control over them
    if (workers?.controller) port.send({ type: 'standDown' });
  }

  function receive(message: BackgroundMessage): void {
    if (message.type === 'look') {
      asked = message.look;
      watch();
    } else if (message.type === 'makeLazy') void makeLazy(message.urls, message.untilMs).then((made) => port.send({ type: 'madeLazy', ...made }));
    else if (message.type === 'links') links.watch(message.isWatched);
    else if (message.type === 'inspect') {
      inspection.watch(message.isWatched);
      if (!message.isWatched) return;
      // who looks now knows nothing of what was told before
      reported.forget();
      watch();
    } else if (message.type === 'measure') void measure(message.load, message.waitsForQuiet);
    else void needed.asked(needsAtRest);
  }

  function needsAtRest(): Promise<FirstScreenNeeds> {
    needs ??= new Promise((resolve) => whenAtRest(() => resolve(firstScreenNeeds())));
    return needs;
  }

  async function measure(load: number, waitsForQuiet: boolean): Promise<void> {
    const timing = await timed.asked(() => timeFirstScreen(waitsForQuiet, needsAtRest));
    if (timing !== null) port.send({ type: 'measured', load, timing });
  }

  function watch(): void {
    if (watchAgain === null) {
      watchAgain = watchLayout(read);
      void firstLayout().then(() => {
        isLaidOut = true;
        read();
      });
    } else if (document.readyState === 'complete') watchAgain();
    read();
  }

  function read(): void {
    const isHidden = document.visibilityState === 'hidden';
    if (!isLaidOut) look = asked;
    // before the first layout nothing has a place, and the page needs its thread
    if (!isLaidOut && !isHidden) return;
    images.collect();
    // else reported when the browser has told the positions; a document that nobody sees makes no frames, and is looked
    // at when somebody does
    if (isHidden) report();
    else if (look !== asked) drawn.look(asked);
  }

  function report(): void {
    const { view, isParsed } = images;
    const layout = reported.update({
      view: isLaidOut ? view : null,
      isVisible: document.visibilityState === 'visible',
      isParsed,
      look,
      isWhole: drawn.isWhole,
      placements: view === null ? new Map() : images.placements(view),
    });
    if (layout !== null) port.send({ type: 'layout', ...layout });
  }
}

main();
