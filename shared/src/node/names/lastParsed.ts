/**
 * Parses a text, and the same one not again as long as it is the last. What blocks hosts makes a hosts file of 100,000
 * lines and more, which take a tenth of a second.
 */
export function lastParsed<T>(parse: (text: string) => T): (text: string) => T {
  let last: { readonly text: string; readonly value: T } | null = null;
  return (text) => {
    if (last?.text !== text) last = { text, value: parse(text) };
    return last.value;
  };
}
