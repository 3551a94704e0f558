import * as v from 'valibot';
import type { LinkNow } from '../messages/status.ts';

/** A link as it was when something was measured on it; no name of a network, which no browser tells. */
export interface KeptLink {
  readonly rateBitsPerSecond: number;
  readonly rttMs: number;
}

const positive = v.pipe(v.number(), v.integer(), v.minValue(1));
export const KeptLinkSchema: v.GenericSchema<unknown, KeptLink> = v.strictObject({ rateBitsPerSecond: positive, rttMs: positive });

/** What is seen of one link differs by the page: by less than this. */
const ALIKE = 2;

/** Null where nobody has measured it. */
export function keptLinkOf({ rateBitsPerSecond, isRateMeasured, rttMs, isRttMeasured }: LinkNow): KeptLink | null {
  return isRateMeasured && isRttMeasured ? { rateBitsPerSecond: Math.max(1, Math.round(rateBitsPerSecond)), rttMs: Math.max(1, Math.round(rttMs)) } : null;
}

/** Whether both may be one link: neither rate nor round trip differs by more than a factor of two. What is not known is like nothing. */
export function areAlike(one: KeptLink | null, other: KeptLink | null): boolean {
  return one !== null && other !== null && areNear(one.rateBitsPerSecond, other.rateBitsPerSecond) && areNear(one.rttMs, other.rttMs);
}

function areNear(one: number, other: number): boolean {
  return Math.max(one, other) <= ALIKE * Math.min(one, other);
}
