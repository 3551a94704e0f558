import type { Random } from '../../../../shared/src/statistics/random.ts';
import type { PlannedLoad, Side } from '../../messages/measuring.ts';

/**
 * The loads of a measurement, side by side: each pair the other way round than the one before (ABBA), the first one at
 * random, so that neither a link that gets better nor one that gets worse speaks for a side. Before them a load that
 * counts for nothing; the tab's opening is one without Firstscreen.
 */
export function planLoads(pairs: number, random: Random): PlannedLoad[] {
  const first: readonly Side[] = random() < 0.5 ? ['with', 'without'] : ['without', 'with'];
  const loads = Array.from({ length: pairs }, (_, place) => (place % 2 === 0 ? first : first.toReversed()).map((side) => ({ pair: place + 1, side })));
  return [{ pair: 0, side: 'with' }, ...loads.flat()];
}
