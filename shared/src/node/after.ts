import type { After } from '../names/race.ts';

/** The timers of Node. */
export const after: After = (delayMs, callback) => {
  const timer = setTimeout(callback, delayMs);
  return () => clearTimeout(timer);
};
