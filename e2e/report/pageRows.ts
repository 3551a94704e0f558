import type { OraclePage } from '../analysis/oracle.ts';
import { median } from '../../shared/src/statistics/statistics.ts';
import { NOT_MEASURED, type Comparison, type Load, type Results } from '../bench/results.ts';

/** One page in the report: scheme against baseline. */
export interface PageRow {
  readonly page: string;
  readonly n: number;
  readonly baseline: PageSide;
  readonly scheme: PageSide;
  readonly isrt: Comparison['overall'];
  readonly pairs: readonly number[];
  /** Median paired ratios by metric. */
  readonly ratios: Readonly<Record<string, number | null>>;
  readonly offScreenShare: number | null;
  readonly pictureNoise: number | null;
  /** The round that stands for the page: its ISRT ratio is nearest to the median. */
  readonly typicalRun: number | null;
}

const MEDIANS = ['isrtMs', 'neededMs', 'wasteMs', 'idleMs', 'helperCpuMs', 'extensionCpuMs', 'allObjectsMs', 'lowerBoundMs'] as const satisfies readonly (keyof Load)[];

/** Medians of its loads; NaN without any, and of a processor's time without such a process. */
export interface PageSide extends Readonly<Record<(typeof MEDIANS)[number], number>> {
  readonly loads: readonly Load[];
  readonly failed: readonly Load[];
  readonly objectsLost: number;
  readonly objectsFetchedTwice: number;
  readonly pictureDifference: number | null;
}

/** The pages of a comparison, losers first; pages without a pair at the end. */
export function pageRows(results: Results, scheme: string): PageRow[] {
  const comparisons = results.comparisons.filter((comparison) => comparison.scheme === scheme);
  const isrt = comparisons.find(({ metric }) => metric === 'isrtMs');
  const baseline = isrt?.baseline ?? '';
  const rows = results.pages.map(({ name, offScreenShare, pictureNoise }): PageRow => {
    const measured = isrt?.pages.find(({ page }) => page === name);
    const pairs = pairsOf(results.loads, name, scheme, baseline);
    const ratio = measured?.ratio ?? NOT_MEASURED;
    return {
      page: name,
      n: measured?.n ?? 0,
      baseline: side(results.loads, name, baseline),
      scheme: side(results.loads, name, scheme),
      isrt: ratio,
      pairs: pairs.map((pair) => pair.ratio),
      ratios: Object.fromEntries(comparisons.map(({ metric, pages }) => [metric, pages.find(({ page }) => page === name)?.ratio.value ?? null])),
      offScreenShare,
      pictureNoise,
      typicalRun: pairs.toSorted((a, b) => Math.abs(a.ratio - (ratio.value ?? 1)) - Math.abs(b.ratio - (ratio.value ?? 1)))[0]?.run ?? null,
    };
  });
  return rows.toSorted((a, b) => (b.isrt.value ?? -1) - (a.isrt.value ?? -1));
}

/** What the oracle is computed from. */
export function oraclePages(rows: readonly PageRow[]): OraclePage[] {
  return rows.map(({ baseline: { loads, isrtMs, neededMs, wasteMs }, isrt }) => ({ pages: Math.max(1, loads[0]?.steps.length ?? 1), isrtMs, neededMs, wasteMs, ratio: isrt.value }));
}

function pairsOf(loads: readonly Load[], page: string, scheme: string, baseline: string): { run: number; ratio: number }[] {
  const measured = loads.filter((load) => load.page === page && load.failed === null && load.isrtMs !== null);
  return measured.flatMap((load) => {
    const stock = measured.find((other) => other.scheme === baseline && other.run === load.run);
    return load.scheme === scheme && load.isrtMs !== null && stock?.isrtMs ? [{ run: load.run, ratio: load.isrtMs / stock.isrtMs }] : [];
  });
}

function side(loads: readonly Load[], page: string, scheme: string): PageSide {
  const all = loads.filter((load) => load.page === page && load.scheme === scheme);
  const measured = all.filter(({ failed }) => failed === null);
  const differences = measured.flatMap(({ pictureDifference }) => pictureDifference ?? []);
  const most = (numbers: readonly number[]) => Math.max(0, ...numbers);
  return {
    loads: measured,
    failed: all.filter(({ failed }) => failed !== null),
    ...mediansOf(MEDIANS, measured),
    objectsLost: most(all.flatMap(({ objectsLost }) => objectsLost ?? [])),
    objectsFetchedTwice: most(all.flatMap(({ objectsFetchedTwice }) => objectsFetchedTwice ?? [])),
    pictureDifference: differences.length > 0 ? median(differences) : null,
  };
}

/** Medians of the numbers of these names, where they were measured. */
export function mediansOf<Name extends string>(names: readonly Name[], measured: readonly Readonly<Record<Name, number | null>>[]): Readonly<Record<Name, number>> {
  return Object.fromEntries(names.map((name) => [name, median(measured.flatMap((one) => one[name] ?? []))])) as Record<Name, number>;
}
