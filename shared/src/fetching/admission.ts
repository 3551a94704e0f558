import { bdpBytes, type LinkEstimate } from '../estimation/link.ts';
import { isWindowFull } from '../scheduling/releaseWindow.ts';
import { FetchClass, type FetchObject } from './fetchObject.ts';

/** What is on the way, of all servers. */
export interface OnTheWay {
  /** Bytes still to come. */
  readonly bytesToCome: number;
  /** Whether anything is among it that the first screen waits for. */
  readonly isUrgent: boolean;
}

/** Whether an object may be sent now, when a connection is free for it. */
export type Admission = (object: FetchObject, onTheWay: OnTheWay) => boolean;

/** CONV: a free connection is used. */
export const admitAll: Admission = () => true;

/** What the first screen waits for, whatever else is on the way. */
export function isUrgent({ fetchClass }: Pick<FetchObject, 'fetchClass'>): boolean {
  return fetchClass <= FetchClass.inView;
}

/**
 * PF, prioritized fetching (NSF report, section VI, delayed transmission): what the first screen does not wait for goes only while the link has room, by
 * the same window as the gate's (`isWindowFull`), so that the link is never idle and what turns out to be needed is never behind more than that.
 *
 * @param link asked at each decision
 */
export function admitWithinWindow(link: () => LinkEstimate): Admission {
  // the objects' places are what decides here, so the layout is known as far as it matters
  return (object, onTheWay) => isUrgent(object) || !isWindowFull({ ...onTheWay, bdpBytes: bdpBytes(link()) }, true);
}
