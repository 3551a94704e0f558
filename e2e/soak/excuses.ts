import type { Failure } from '../hostile/tab.ts';
import type { Excuses } from './compare.ts';
import type { Fault, Moment } from './plan.ts';

/** How Chromium ends what is under way when the machine's addresses change, with or without us. */
const NETWORK_CHANGED = /ERR_NETWORK_CHANGED/;

export interface Faulty {
  readonly fault: Fault;
  readonly moment: Moment;
}

/**
 * What is not held against a load. A stock browser, too, loses what is under way when the network changes; which objects
 * is a matter of milliseconds, so one load can not be compared with another. With a helper that is killed its
 * connections end: a browser asks again on a new one where the old one had been used, and gives up where it had not.
 * Whether something stays broken shows in the load after.
 *
 * @param before the load before: a browser may hear late of a change
 */
export function excusesOf(failures: readonly Failure[], before: Faulty, load: Faulty): Excuses {
  const losesLink = load.fault === 'linkLost';
  const endsConnections = load.fault === 'helperKilled' && load.moment !== 'before';
  const changesNetwork = [before.fault, load.fault].some((fault) => fault === 'linkLost' || fault === 'addressChanged');
  const isExcused = (code: string): boolean => losesLink || (changesNetwork && NETWORK_CHANGED.test(code));
  return { lost: failures.filter(({ code }) => isExcused(code)).map(({ url }) => objectOf(url)), mayLose: losesLink || endsConnections, mayRepeat: endsConnections };
}

function objectOf(url: string): string {
  const { hostname, pathname } = new URL(url);
  return `${hostname.split('.').at(-2) ?? ''}${pathname}`;
}
