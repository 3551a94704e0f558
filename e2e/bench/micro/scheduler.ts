import type { Rect } from '../../../shared/src/page/geometry.ts';
import type { PageObject, PageSnapshot } from '../../../shared/src/page/objects.ts';
import { planPrioritizedFetching } from '../../../shared/src/scheduling/plan.ts';
import { seededRandom } from '../../analysis/random.ts';
import type { Measurement } from './measurement.ts';

const SEED = 1;
const OBJECTS = 1000;
const REPETITIONS = 2000;
/** The first runs are interpreted, not compiled; the real background script sees those too, so only a few are left out. */
const WARM_UP = 20;
const PAGE = { width: 1366, height: 40_000 };
const VIEW: Rect = { x: 0, y: 0, width: 1366, height: 768 };
const RANK_TARGET_MS = 2;
const SCROLL_TARGET_MS = 1;

/** The shared scheduler on a page of 1,000 images. */
export function measureScheduler(): Measurement[] {
  const random = seededRandom(SEED);
  const objects = Array.from({ length: OBJECTS }, (_, index): PageObject => ({ id: index, url: `https://images.test/${index}.jpg`, index, placement: placementBy(random) }));
  return [
    {
      name: `rank and order ${OBJECTS} objects`,
      method: 'planPrioritizedFetching on a page seen for the first time',
      samplesMs: sample((run) => ({ view: VIEW, objects: run % 2 === 0 ? objects : [...objects] })),
      targetMs: RANK_TARGET_MS,
    },
    {
      name: `re-rank ${OBJECTS} objects on scroll`,
      method: 'the same with a view that moved since the last plan',
      samplesMs: sample((run) => ({ view: { ...VIEW, y: (run * 120) % (PAGE.height - VIEW.height) }, objects })),
      targetMs: SCROLL_TARGET_MS,
    },
  ];
}

function placementBy(random: () => number): PageObject['placement'] {
  const kind = random();
  if (kind < 0.05) return { state: 'unplaced' };
  if (kind < 0.1) return { state: 'undisplayed', near: null };
  return { state: 'placed', rect: { x: random() * PAGE.width, y: random() * PAGE.height, width: 300 * random(), height: 200 * random() } };
}

function sample(snapshotOf: (run: number) => PageSnapshot): number[] {
  const samplesMs: number[] = [];
  for (let run = 0; run < WARM_UP + REPETITIONS; run += 1) {
    const snapshot = snapshotOf(run);
    const startMs = performance.now();
    planPrioritizedFetching(snapshot);
    if (run >= WARM_UP) samplesMs.push(performance.now() - startMs);
  }
  return samplesMs;
}
