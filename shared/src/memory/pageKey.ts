import { afterOrigin, originOf } from '../page/origin.ts';
import { maskedPart } from './secretUrl.ts';

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

/** Keys of an absolute URL; a name and password in it are in neither. */
export function pageKeys(url: string): PageKeys {
  const origin = originOf(url).toLowerCase();
  const path = afterOrigin(url).split(/[?#]/, 1)[0] ?? '';
  const parts = path.split('/').slice(1).map(maskedPart);
  const template = parts.map((part, place) => (isOneOfMany(part, place === parts.length - 1) ? '*' : part));
  return { page: `${origin}/${parts.join('/')}`, template: `${origin}/${template.join('/')}` };
}

/** The last part of a path is the page itself, unless it is a directory (empty). */
function isOneOfMany(part: string, isLast: boolean): boolean {
  return part !== '' && (isLast || /\d/.test(part) || part.length > MAX_NAME_CHARS);
}
