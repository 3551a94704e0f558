/** What `look` says, looked at no oftener than this. @param now milliseconds of a clock that does not go back */
export function remembered<T>(forMs: number, now: () => number, look: () => T): () => T {
  let [value, atMs]: [T | undefined, number] = [undefined, -Infinity];
  return () => {
    if (value === undefined || now() - atMs > forMs) [value, atMs] = [look(), now()];
    return value;
  };
}
