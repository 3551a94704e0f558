import { optionError } from '../options.ts';

/** What the driver takes (docs/driver.md). */
export const MAX_RATE = 0.5;

/** `--frame-error-rate`; null without it: the driver learns. @throws FirstscreenError E_OPTION */
export function frameErrorRate(text: string | undefined): number | null {
  if (text === undefined) return null;
  const rate = Number(text);
  if (text.trim() === '' || !(rate > 0 && rate <= MAX_RATE)) throw optionError(`--frame-error-rate ${text} is no rate`, `write a number above 0, at most ${MAX_RATE}`);
  return rate;
}
