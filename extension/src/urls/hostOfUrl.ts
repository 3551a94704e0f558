/** Host and port of a URL; empty for a text that is none. */
export function hostOfUrl(url: string): string {
  return URL.canParse(url) ? new URL(url).host : '';
}
