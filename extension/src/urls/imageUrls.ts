/** URLs as the gate knows them: absolute, http or https, without fragment. */

export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash === -1 ? url : url.slice(0, hash);
}

/** The URLs that a CSS value names. */
export function imageUrlsOf(value: string, base: string): string[] {
  const urls: string[] = [];
  for (const match of value.matchAll(/url\(\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^)\s]*))\s*\)/g)) {
    const raw = (match[1] ?? match[2] ?? match[3] ?? '').replaceAll(/\\(.)/g, '$1');
    if (!URL.canParse(raw, base)) continue;
    const url = new URL(raw, base).href;
    if (/^https?:/.test(url)) urls.push(withoutFragment(url));
  }
  return urls;
}
