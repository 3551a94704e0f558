import type { SchedulingParts } from '../../shared/src/fetching/schemes.ts';
import type { IsPublic } from './names/addressPolicy.ts';

/**
 * What the helper is composed of. The product has every part on; only the benchmark's bundle (bench.ts) leaves some
 * out, to measure what each is worth.
 */
export interface HelperParts extends SchedulingParts {
  /** Asks for what documents, style sheets and the memory of pages name, before the browser does. */
  readonly foresight: boolean;
  /** What is not known to be needed stops in mid-flight while something that is needed comes. */
  readonly preemption: boolean;
  /** Leaves a fast link to the browser. */
  readonly steppingAside: boolean;
}

export const ALL_PARTS: HelperParts = { prioritizing: true, reordering: true, connectionManagement: true, foresight: true, preemption: true, steppingAside: true };

/** All that can differ between the helper that ships and that of the benchmark. */
export interface Composition {
  readonly parts: HelperParts;
  /** Where the helper may connect to; the browser goes everywhere else itself. */
  readonly isPublic: IsPublic;
}

/**
 * The helper without the parts named in `list`, which are parted by commas.
 *
 * @throws Error for a name that is no part's: a benchmark must not measure something else unawares
 */
export function partsWithout(list: string): HelperParts {
  const names = list.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !Object.hasOwn(ALL_PARTS, name));
  if (unknown !== undefined) throw new Error(`The helper has no part "${unknown}"; its parts are ${Object.keys(ALL_PARTS).join(', ')}.`);
  return { ...ALL_PARTS, ...Object.fromEntries(names.map((name) => [name, false])) };
}
