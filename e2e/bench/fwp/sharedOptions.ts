import { optional, whole, type Option } from '../commandOptions.ts';
import { optionError } from '../optionValues.ts';

/** What the driver takes (docs/driver.md). */
export const MAX_RATE = 0.5;

/** Null: the driver learns. */
export const FRAME_ERROR_RATE: Option<number | null> = optional('frame-error-rate P', `that the driver expects of the link, above 0, at most ${MAX_RATE} (default: it learns)`, (text, name) => {
  const rate = Number(text);
  if (text.trim() === '' || !(rate > 0 && rate <= MAX_RATE)) throw optionError(`${name} ${text} is no rate`, `write a number above 0, at most ${MAX_RATE}`);
  return rate;
});

export function fileBytes(usual: number): Option<number> {
  return whole('bytes N', 'of the file', usual, 1, 10_000_000_000);
}
