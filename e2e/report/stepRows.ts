import type { Load } from '../bench/results.ts';
import { mediansOf, type PageRow, type PageSide } from './pageRows.ts';

/** A page of a journey. */
interface StepRow {
  readonly url: string;
  readonly baseline: StepSide;
  readonly scheme: StepSide;
}

const MEDIANS = ['isrtMs', 'neededMs', 'wasteMs', 'idleMs', 'speedIndexMs', 'allObjectsMs', 'bytes'] as const satisfies readonly (keyof Load['steps'][number])[];

/** Medians over the rounds. */
type StepSide = Readonly<Record<(typeof MEDIANS)[number], number>>;

/** The pages of a journey in their order; none where a single page was loaded. */
export function stepRows({ baseline, scheme }: PageRow): StepRow[] {
  const steps = baseline.loads[0]?.steps ?? [];
  return steps.map(({ url }, place) => ({ url, baseline: sideOf(baseline, place), scheme: sideOf(scheme, place) }));
}

function sideOf({ loads }: PageSide, place: number): StepSide {
  return mediansOf(MEDIANS, loads.flatMap(({ steps }) => steps.slice(place, place + 1)));
}
