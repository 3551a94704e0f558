import type { IsPublic } from '../../shared/src/names/addressPolicy.ts';
import { PART_NAMES, type HelperParts } from '../../shared/src/parts.ts';
import type { Recording } from '../../shared/src/requests/recording.ts';
import type { NetworkLook } from './networks/systemNetwork.ts';

export const ALL_PARTS = Object.fromEntries(PART_NAMES.map((name) => [name, true])) as HelperParts;

/** All that can differ between the helper that ships and that of the benchmark. */
export interface Composition {
  readonly parts: HelperParts;
  /** Where the helper may connect to; the browser goes everywhere else itself. */
  readonly isPublic: IsPublic;
  /** Who hears of the way of each request: in the product only who has a panel open. */
  readonly recording: Recording;
  /** Names the network that the machine is in. */
  readonly network: NetworkLook;
}

/**
 * The helper without the parts named in `list`, which are parted by commas.
 *
 * @throws Error for a name that is no part's: a benchmark must not measure something else unawares
 */
export function partsWithout(list: string): HelperParts {
  const names = list.split(',').filter((name) => name !== '');
  const unknown = names.find((name) => !Object.hasOwn(ALL_PARTS, name));
  if (unknown !== undefined) throw new Error(`The helper has no part "${unknown}"; its parts are ${PART_NAMES.join(', ')}.`);
  return { ...ALL_PARTS, ...Object.fromEntries(names.map((name) => [name, false])) };
}
