import { isStock, setupOf, type Scheme, type SchemeKind, type VisitKind } from './schemes.ts';

/** Two schemes of a run that are compared, by their labels. */
export interface SchemePair {
  readonly scheme: string;
  readonly baseline: string;
}

/** To stock, whose cache is empty at both, a second visit is as the first. */
type ComparedKind = Exclude<VisitKind, 'second'>;

const STOCK_OF: Readonly<Record<ComparedKind, SchemeKind>> = { first: 'conv', warm: 'conv-warm', again: 'conv-again', journey: 'conv-journey' };

/** Every scheme with the baseline of its kind of visit, which is the first scheme of the kind; baselines are left out. Pure. */
export function comparedPairs(schemes: readonly Scheme[]): SchemePair[] {
  return [...byKind(schemes).values()].flatMap(([baseline, ...others]) => others.map(({ label }) => ({ scheme: label, baseline: baseline?.label ?? '' })));
}

/** The baselines of a run, one for each kind of visit. Pure. */
export function baselineLabels(schemes: readonly Scheme[]): string[] {
  return [...byKind(schemes).values()].flatMap(([first]) => first?.label ?? []);
}

/**
 * A scheme that would be the baseline of its kind of visit and is not stock, with the stock scheme that is missing. A run
 * of cold visits alone has none: it may compare schemes with one another. Pure.
 */
export function schemeWithoutStock(schemes: readonly Scheme[]): { readonly label: string; readonly stock: SchemeKind } | null {
  const kinds = byKind(schemes);
  if (kinds.size === 1 && kinds.has('first')) return null;
  for (const [kind, [first]] of kinds) if (first !== undefined && !isStock(setupOf(first))) return { label: first.label, stock: STOCK_OF[kind] };
  return null;
}

function byKind(schemes: readonly Scheme[]): Map<ComparedKind, Scheme[]> {
  return Map.groupBy(schemes, (scheme) => {
    const { visit } = setupOf(scheme);
    return visit === 'second' ? 'first' : visit;
  });
}
