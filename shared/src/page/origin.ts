/** Scheme, host and port of an absolute URL; shared code has no URL class to ask. */
export function originOf(url: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i.exec(url)?.[0] ?? url;
}
