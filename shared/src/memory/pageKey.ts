import { originOf } from '../page/origin.ts';

/** A page by its address, and pages that are made alike. Neither has query or fragment: what a site asks for with them is nobody's to keep. */
export interface PageKeys {
  /** Scheme, host, port and path. */
  readonly page: string;
  /** The same with `*` for every part of the path that looks like one of many: a number, a date, a title. */
  readonly template: string;
}

/** Longer parts are titles or identifiers. */
const MAX_NAME_CHARS = 20;

/** Keys of an absolute URL. */
export function pageKeys(url: string): PageKeys {
  const origin = originOf(url).toLowerCase();
  const path = url.slice(origin.length).split(/[?#]/, 1)[0] ?? '';
  const parts = path.split('/').slice(1);
  const template = parts.map((part, place) => (isOneOfMany(part, place === parts.length - 1) ? '*' : part));
  return { page: `${origin}/${parts.join('/')}`, template: `${origin}/${template.join('/')}` };
}

/** The last part of a path is the page itself, unless it is a directory (empty). */
function isOneOfMany(part: string, isLast: boolean): boolean {
  return part !== '' && (isLast || /\d/.test(part) || part.length > MAX_NAME_CHARS);
}
