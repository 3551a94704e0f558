import { dayOf } from './cachedUntil.ts';

/** What nobody has come back to for two months is of no use, and tells where somebody has been. */
const MAX_AGE_DAYS = 60;
/** Clocks of a machine are put right by hours. What comes from further ahead was kept under a wrong one, and would stay. */
const MAX_AHEAD_DAYS = 1;

/** Whether what was last needed on a day is to be forgotten. @param day since 1970, as `dayOf` gives it */
export function isTooOld(day: number, nowMs: number): boolean {
  const ageDays = dayOf(nowMs) - day;
  return ageDays > MAX_AGE_DAYS || ageDays < -MAX_AHEAD_DAYS;
}
