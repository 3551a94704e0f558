import { Recording } from '../../shared/src/requests/recording.ts';

const NS_PER_MS = 1e6;

/**
 * What is recorded by the clock that all processes of a machine share: CLOCK_MONOTONIC, in milliseconds, which is that
 * of the emulated link and of its servers too.
 */
export function recordingOfMachine(): Recording {
  // both are of that clock; this one has another zero, and makes no BigInt each time
  const zeroMs = Number(process.hrtime.bigint()) / NS_PER_MS - performance.now();
  return new Recording(() => zeroMs + performance.now());
}
