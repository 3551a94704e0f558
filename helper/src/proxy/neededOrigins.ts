import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { originOf } from '../../../shared/src/page/origin.ts';

/** Names and handshakes of so many take some 5 kB of a link that the document itself has to come by. */
const MAX_ORIGINS = 12;

/** The origins of what a page needs, each once, in the order of the objects. */
export function neededOrigins(needed: readonly NeededObject[]): string[] {
  return [...new Set(needed.map(({ url }) => originOf(url)))].slice(0, MAX_ORIGINS);
}
