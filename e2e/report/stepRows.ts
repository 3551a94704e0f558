import { median } from '../../shared/src/statistics/statistics.ts';
import type { Load } from '../bench/results.ts';
import type { PageRow, PageSide } from './pageRows.ts';

/** A page of a journey. */
interface StepRow {
  readonly url: string;
  readonly baseline: StepSide;
  readonly scheme: StepSide;
}

/** Medians over the rounds. */
type StepSide = Readonly<Record<'isrtMs' | 'neededMs' | 'wasteMs' | 'idleMs' | 'speedIndexMs' | 'allObjectsMs' | 'bytes', number>>;

/** The pages of a journey in their order; none where a single page was loaded. */
export function stepRows({ baseline, scheme }: PageRow): StepRow[] {
  const steps = baseline.loads[0]?.steps ?? [];
  return steps.map(({ url }, place) => ({ url, baseline: sideOf(baseline, place), scheme: sideOf(scheme, place) }));
}

function sideOf({ loads }: PageSide, place: number): StepSide {
  const of = (pick: (step: Load['steps'][number]) => number) => median(loads.flatMap(({ steps }) => steps.slice(place, place + 1).map(pick)));
  return {
    isrtMs: of(({ isrtMs }) => isrtMs),
    neededMs: of(({ neededMs }) => neededMs),
    wasteMs: of(({ wasteMs }) => wasteMs),
    idleMs: of(({ idleMs }) => idleMs),
    speedIndexMs: of(({ speedIndexMs }) => speedIndexMs),
    allObjectsMs: of(({ allObjectsMs }) => allObjectsMs),
    bytes: of(({ bytes }) => bytes),
  };
}
