/** More than are on their way at once: a page may ask for a picture each second for days. */
export const MAX_REMEMBERED = 2_000;

/** Adds a value to those that are remembered, of which the oldest goes when they are too many. */
export function remember<Value>(values: Set<Value>, value: Value): void {
  values.add(value);
  const [oldest] = values;
  if (values.size > MAX_REMEMBERED && oldest !== undefined) values.delete(oldest);
}
