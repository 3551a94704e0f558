const AUTHORITY = /^([a-z][a-z0-9+.-]*:\/\/)(?:[^/?#]*@)?([^/?#]*)/i;

/**
 * Scheme, host and port of an absolute URL, without the name and password that may stand before them; shared code has no
 * URL class to ask.
 */
export function originOf(url: string): string {
  const [, scheme, host] = AUTHORITY.exec(url) ?? [];
  return scheme === undefined || host === undefined ? url : scheme + host;
}

/** Path, query and fragment of an absolute URL. */
export function afterOrigin(url: string): string {
  return url.slice(AUTHORITY.exec(url)?.[0].length ?? url.length);
}
