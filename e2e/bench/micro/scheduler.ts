import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { ObjectSizes } from '../../../shared/src/estimation/objectSizes.ts';
import { DocumentModel } from '../../../shared/src/page/documentModel.ts';
import type { Rect } from '../../../shared/src/page/geometry.ts';
import type { Placement } from '../../../shared/src/page/placement.ts';
import { seededRandom } from '../../../shared/src/statistics/random.ts';
import type { Measurement } from './measurement.ts';

const SEED = 1;
const IMAGES = 1000;
const REPETITIONS = 2000;
/** The first runs are interpreted, not compiled; the real background script sees those too, so only a few are left out. */
const WARM_UP = 20;
const PAGE = { width: 1366, height: 40_000 };
const VIEW: Rect = { x: 0, y: 0, width: 1366, height: 768 };
const RELEASE_TARGET_MS = 2;
/** Nothing goes, so each run has all to rank. */
const FULL = { link: INITIAL_LINK, bytesToCome: 10_000_000, connectingBytes: 0, isUrgent: true, isConnecting: () => true, openTo: () => 1, isHttpsOrdered: false, openSecureImages: 0 };

/** The shared scheduler on a page of 1,000 images. */
export function measureScheduler(): Measurement[] {
  const random = seededRandom(SEED);
  const model = new DocumentModel(new ObjectSizes());
  const images = Array.from({ length: IMAGES }, (_, index) => ({ url: `https://images.test/${index}.jpg`, placement: placementBy(random) }));
  for (const [order, { url }] of images.entries()) model.hold(url, order);
  const samplesMs: number[] = [];
  for (let run = 0; run < WARM_UP + REPETITIONS; run += 1) {
    model.layout({ view: { ...VIEW, y: (run * 120) % (PAGE.height - VIEW.height) }, isVisible: true, isParsed: true, look: 0, isWhole: false, images });
    const startMs = performance.now();
    model.release(FULL);
    if (run >= WARM_UP) samplesMs.push(performance.now() - startMs);
  }
  return [{ name: `rank and judge ${IMAGES} held images on scroll`, method: 'DocumentModel.release with a view that moved', samplesMs, targetMs: RELEASE_TARGET_MS }];
}

function placementBy(random: () => number): Placement {
  const kind = random();
  if (kind < 0.05) return { state: 'unplaced' };
  if (kind < 0.1) return { state: 'undisplayed', near: null };
  return { state: 'placed', rect: { x: random() * PAGE.width, y: random() * PAGE.height, width: 300 * random(), height: 200 * random() } };
}
