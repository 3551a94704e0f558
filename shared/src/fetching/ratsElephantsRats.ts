import { byLevel, inDocumentOrder, keepsDocumentOrder, levelOf, type FetchObject } from './fetchObject.ts';

/**
 * Order of one connection's objects, small - large - small (NSF report, section VI): taken from the smallest upward they are put alternately at the two
 * ends. The small ones at the front are there soon, and those at the end are what another connection can take over, so that all end together.
 *
 * Priority comes first: the order is made inside each level, and layout files, and what has no place yet, keep the order of their document.
 */
export function ratsElephantsRats(objects: readonly FetchObject[]): FetchObject[] {
  return byLevel(objects).flatMap((members) => {
    if (members[0] !== undefined && keepsDocumentOrder(levelOf(members[0]))) return members.sort(inDocumentOrder);
    const front: FetchObject[] = [];
    const back: FetchObject[] = [];
    members.sort((a, b) => a.bytes - b.bytes || inDocumentOrder(a, b)).forEach((object, place) => (place % 2 === 0 ? front : back).push(object));
    return [...front, ...back.reverse()];
  });
}
