import { MAX_TIMED_OBJECTS, type FirstScreenNeeds, type NeededObject } from '../../../shared/src/memory/neededObject.ts';
import type { FirstScreenTiming, VoidReason } from '../../../shared/src/protocol/firstScreenTimingSchema.ts';
import { withoutFragment } from '../urls/imageUrls.ts';
import { firstScreenNeeds } from './firstScreenNeeds.ts';
import { firstScreenTime } from './firstScreenTime.ts';
import { shownImages } from './imageElements.ts';
import { inNextFrame, viewOf } from './layoutReader.ts';
import { whenAtRest } from './layoutWatcher.ts';
import { LoadRecorder } from './loadRecorder.ts';

/** The benchmark's rest, as long as its link's is: after the load, a page may still ask for its first screen by scripts. */
const QUIET_MS = 2_000;
/** Pages that ask again and again are never quiet. */
const QUIET_LIMIT_MS = 20_000;
/** Between two answers, as long as it lasts that something is on its way. */
const GAP_MS = 1_000;
const IMAGE_LIMIT_MS = 20_000;
const CHECK_MS = 250;
const FONT = /\.(?:woff2?|ttf|otf)(?:\?|$)/i;

/**
 * @param waitsForQuiet of a page that is measured, which names what it needed, too
 * @param needsAtRest what the first screen needed, read when the page had come to rest
 */
export async function timeFirstScreen(waitsForQuiet: boolean, needsAtRest: () => Promise<FirstScreenNeeds>): Promise<FirstScreenTiming> {
  const recorder = new LoadRecorder();
  try {
    // it makes no frames, and so can not be read, before somebody sees it again
    return await Promise.race([recorder.hidden.then(() => isVoid('hidden')), time(recorder, waitsForQuiet, needsAtRest)]);
  } finally {
    recorder.stop();
  }
}

async function time(recorder: LoadRecorder, waitsForQuiet: boolean, needsAtRest: () => Promise<FirstScreenNeeds>): Promise<FirstScreenTiming> {
  if (waitsForQuiet) await quiet(recorder);
  return read(recorder, await (waitsForQuiet ? firstScreenNeeds() : needsAtRest()), waitsForQuiet);
}

/** What the first screen needed of a page that has not loaded, once nothing has come for a moment and its images are there. */
export async function needsInView(): Promise<FirstScreenNeeds> {
  const recorder = new LoadRecorder();
  const startMs = performance.now();
  await until(() => performance.now() - Math.max(startMs, recorder.lastMs) >= GAP_MS, startMs + QUIET_LIMIT_MS);
  recorder.stop();
  const needs = await firstScreenNeeds();
  await imagesAreThere(needs);
  return needs;
}

async function read(recorder: LoadRecorder, needs: FirstScreenNeeds, namesNeeded: boolean): Promise<FirstScreenTiming> {
  const areThere = await imagesAreThere(needs);
  const frame = await inNextFrame([]);
  const view = frame && viewOf(frame.root);
  // with what it has not been told yet
  recorder.stop();
  const [fcp] = performance.getEntriesByName('first-contentful-paint');
  const [navigation] = performance.getEntriesByType('navigation');
  if (recorder.hasLeft) return isVoid('left');
  // what was pressed may have changed what is in view
  if (recorder.usedMs !== null) return isVoid('used');
  // a script may have scrolled before it was listened for
  const scrolledMs = recorder.scrolledMs ?? (view !== null && (view.y >= 1 || view.x >= 1) ? 0 : Infinity);
  // Firefox may tell of no paint of a page that is scrolled at its start
  if (fcp === undefined || !(navigation instanceof PerformanceNavigationTiming)) return isVoid(scrolledMs < Infinity ? 'scrolled' : 'unpainted');
  if (!areThere) return isVoid('incomplete');
  const { responseEnd: documentMs, domContentLoadedEventStart: domContentLoadedMs } = navigation;
  const needed = [...withoutBroken(needs), ...fontsOf(recorder)];
  const { isrtMs, untimed } = firstScreenTime({ documentMs, domContentLoadedMs, fcpMs: fcp.startTime, lcpMs: recorder.lcpMs, fontsMs: recorder.fontsMs, endsMs: recorder.endsMs, needed });
  // afterwards it changes nothing: the first screen is that at the top of the page
  if (scrolledMs <= isrtMs) return isVoid('scrolled');
  const named = namesNeeded
    ? [{ url: withoutFragment(location.href), bytes: navigation.encodedBodySize, isTimed: true }, ...needed.map(({ url }) => ({ url, bytes: recorder.bytes.get(url) ?? 0, isTimed: !untimed.has(url) }))]
    : [];
  return { outcome: 'measured', isrtMs, fcpMs: fcp.startTime, lcpMs: recorder.lcpMs, needed: named.slice(0, MAX_TIMED_OBJECTS) };
}

function isVoid(reason: VoidReason): FirstScreenTiming {
  return { outcome: 'void', reason };
}

/** Resolves when the page has come to rest, and nothing more comes of it. */
async function quiet(recorder: LoadRecorder): Promise<void> {
  await new Promise<void>((resolve) => whenAtRest(resolve));
  await until(() => performance.now() - recorder.lastMs >= QUIET_MS, performance.now() + QUIET_LIMIT_MS);
}

/** Waits for images in view that are still to come. @returns whether all have */
function imagesAreThere({ objects }: FirstScreenNeeds): Promise<boolean> {
  return until(() => imagesOf(objects).every(([, images]) => images.some(({ complete }) => complete)), performance.now() + IMAGE_LIMIT_MS);
}

/** What the server refused, or is no image, is not needed. */
function withoutBroken({ objects }: FirstScreenNeeds): NeededObject[] {
  const broken = new Set(imagesOf(objects).flatMap(([url, images]) => (images.every(({ naturalWidth }) => naturalWidth === 0) ? [url] : [])));
  return objects.filter(({ url }) => !broken.has(url));
}

/** The image elements that show one of these objects, by its URL. */
function imagesOf(objects: readonly NeededObject[]): [string, HTMLImageElement[]][] {
  const urls = new Set(objects.filter(({ kind }) => kind === 'image').map(({ url }) => url));
  return [...shownImages()].flatMap(([url, elements]): [string, HTMLImageElement[]][] => {
    const images = elements.filter((element) => element instanceof HTMLImageElement);
    return urls.has(url) && images.length > 0 ? [[url, images]] : [];
  });
}

/** Fonts that the document has loaded; of those that sheets of other servers name the browser tells nothing. */
function fontsOf({ endsMs }: LoadRecorder): NeededObject[] {
  return [...endsMs.keys()].filter((url) => FONT.test(url)).map((url) => ({ url, kind: 'font' }));
}

async function until(isSo: () => boolean, deadlineMs: number): Promise<boolean> {
  while (!isSo()) {
    if (performance.now() > deadlineMs) return false;
    await new Promise((resolve) => setTimeout(resolve, CHECK_MS));
  }
  return true;
}
