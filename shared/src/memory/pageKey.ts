import { afterOrigin, originOf } from '../page/origin.ts';

/**
 * A page by its address, and pages that are made alike. Neither has query or fragment, and a part of the path that may
 * be a secret is `*` in both: what opens a page to whoever knows it is nobody's to keep.
 */
export interface PageKeys {
  /** Scheme, host, port and path. */
  readonly page: string;
  /** The same with `*` for every part of the path that looks like one of many: a number, a date, a title. */
  readonly template: string;
}

/** Longer parts are titles or identifiers. */
const MAX_NAME_CHARS = 20;

/**
 * What is made at random rather than written by somebody: letters and digits mixed, or many digits, or mixed case,
 * without a break.
 */
const MIN_RANDOM_CHARS = 12;
/** Longer than a hash of a build (SHA-1 in hexadecimal), which is in the names of many public files. */
const MIN_SECRET_CHARS = 41;

/** Keys of an absolute URL; a name and password in it are in neither. */
export function pageKeys(url: string): PageKeys {
  const origin = originOf(url).toLowerCase();
  const path = afterOrigin(url).split(/[?#]/, 1)[0] ?? '';
  const parts = path.split('/').slice(1).map((part) => (isRandom(part, MIN_RANDOM_CHARS) ? '*' : part));
  const template = parts.map((part, place) => (isOneOfMany(part, place === parts.length - 1) ? '*' : part));
  return { page: `${origin}/${parts.join('/')}`, template: `${origin}/${template.join('/')}` };
}

/** The last part of a path is the page itself, unless it is a directory (empty). */
function isOneOfMany(part: string, isLast: boolean): boolean {
  return part !== '' && (isLast || /\d/.test(part) || part.length > MAX_NAME_CHARS);
}

/** Whether the address of an object looks like one that only its owner is given: such an object is not remembered. */
export function hasSecretPath(url: string): boolean {
  return afterOrigin(url).split(/[/?#]/).some((part) => isRandom(part, MIN_SECRET_CHARS));
}

/** The same, by a query in which any value may be one. */
export function hasSecretQuery(url: string): boolean {
  return hasSecretPath(url) || (url.split('?')[1] ?? '').split(/[^a-z0-9]/i).some((part) => isRandom(part, MIN_RANDOM_CHARS));
}

/** Words are short, and of one case; a UUID counts as one run. */
function isRandom(part: string, minChars: number): boolean {
  if (/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/i.test(part)) return minChars <= 'xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx'.length;
  return part.split(/[-.,+ ]|%20/).some((run) => run.length >= minChars && (/\d/.test(run) || /[a-z][A-Z]+[a-z]/.test(run) || run.length >= MIN_SECRET_CHARS));
}
