import type { PageSpec } from '../../pages/sweeps/sweepPage.ts';
import { customProfile } from '../linkOptions.ts';
import type { Scheme } from '../schemes.ts';
import { conditionName, pageName, setupName, type Condition } from './condition.ts';
import type { Sweep } from './sweeps.ts';

/** A page as it is drawn for one run of one condition. */
export interface DrawnPage {
  /** Of its file. */
  readonly name: string;
  readonly spec: PageSpec;
  /** From 1. Runs of the same number draw from the same stream in every condition: neighbours of a sweep differ in what is swept, not in luck. */
  readonly run: number;
  readonly condition: string;
}

/** All that is measured over one link with one helper, by one start of the test bed. */
export interface TestbedRun {
  readonly name: string;
  /** As `--profile` takes it. */
  readonly profile: string;
  readonly helperConnections: number | null;
  readonly schemes: readonly Scheme[];
  readonly pages: readonly DrawnPage[];
}

/** What is measured for the sweeps: each condition once, whatever number of figures it is in, grouped by link and helper. */
export function planRuns(sweeps: readonly Sweep[], schemes: readonly Scheme[], runs: number): TestbedRun[] {
  const conditions = new Map(sweeps.flatMap(({ points }) => points.map(({ condition }) => [conditionName(condition), condition] as const)));
  const groups = Map.groupBy(conditions.values(), setupName);
  return [...groups].flatMap(([name, members]) => {
    const [first] = members;
    if (first === undefined) return [];
    const pages = members.flatMap((condition) => Array.from({ length: runs }, (_, place) => drawnPage(condition, place + 1)));
    const { kbitPerSecond, rttMs, helperConnections } = first;
    return [{ name, profile: customProfile(kbitPerSecond, rttMs), helperConnections, schemes: schemesFor(first, schemes), pages }];
  });
}

/** Where the helper's connections are what varies, PF has to be on them too. */
export function schemesFor({ helperConnections }: Pick<Condition, 'helperConnections'>, schemes: readonly Scheme[]): Scheme[] {
  if (helperConnections === null) return [...schemes];
  const onHelper = schemes.map((scheme) => (scheme.kind === 'pf-managed' ? { kind: 'pf-tunnel' as const, label: 'pf-tunnel', partsOff: [] } : scheme));
  return onHelper.filter(({ label }, place) => onHelper.findIndex((other) => other.label === label) === place);
}

function drawnPage(condition: Condition, run: number): DrawnPage {
  return { name: `${pageName(condition.page)}-draw-${run}`, spec: condition.page, run, condition: conditionName(condition) };
}
