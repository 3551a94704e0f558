import type { Failure } from '../hostile/tab.ts';
import type { Excuses } from './compare.ts';
import type { Fault, Moment } from './plan.ts';

/** How Chromium ends what is under way when the machine's addresses change, with or without us. */
const NETWORK_CHANGED = /ERR_NETWORK_CHANGED/;
/** What Chromium and Firefox say of a request that an extension or the page has ended. */
const ENDED_ON_PURPOSE = /BLOCKED_BY_CLIENT|ABORTED/;

export interface Faulty {
  readonly fault: Fault;
  readonly moment: Moment;
}

/** What has become of a load. */
export interface Losses {
  /** What the browser says has failed. */
  readonly failures: readonly Failure[];
  /** Objects of which the page has heard that they failed, or can hear nothing: Firefox tells its driver only of some. */
  readonly failed: readonly string[];
  /** Objects that servers had been asked for when the fault had been made. */
  readonly asked: readonly string[];
}

/**
 * What is not held against a load: only what is seen to have failed. A stock browser, too, loses what is under way when
 * the network changes; which objects is a matter of milliseconds, so one load can not be compared with another. With a
 * helper that is killed its connections end: a browser asks again on a new one where the old one had been used, and
 * gives up where it had not. Whether something stays broken shows in the load after.
 *
 * @param before the load before: a browser may hear late of a change
 */
export function excusesOf({ failures, failed, asked }: Losses, before: Faulty, load: Faulty): Excuses {
  const losesLink = load.fault === 'linkLost';
  const endsConnections = load.fault === 'helperKilled' && load.moment !== 'before';
  const changesNetwork = [before.fault, load.fault].some((fault) => fault === 'linkLost' || fault === 'addressChanged');
  const isExcused = (code: string): boolean => ((losesLink || endsConnections) && !ENDED_ON_PURPOSE.test(code)) || (changesNetwork && NETWORK_CHANGED.test(code));
  const lost = failures.filter(({ code }) => isExcused(code)).map(({ url }) => objectOf(url));
  return { lost: [...new Set([...lost, ...(losesLink || endsConnections ? failed : [])])], repeated: endsConnections ? asked : [] };
}

function objectOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname.split('.').at(-2) ?? ''}${pathname}`;
}
