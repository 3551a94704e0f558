import { JAVASCRIPT } from '../http/mediaType.ts';
import { canMatchScreen, matchesEveryScreen } from './mediaQueries.ts';
import type { StartTag } from './htmlTags.ts';

export type FetchKind = 'style' | 'script' | 'module' | 'image' | 'font';

/** How a browser makes a request (Fetch, "request mode" and "credentials mode"). */
export interface FetchMode {
  readonly credentials: 'include' | 'same-origin' | 'omit';
  readonly cors: boolean;
}

/** What an element fetches by itself, as soon as it is parsed. */
export interface ElementFetch {
  /** As the attribute has it, relative to the document's base. */
  readonly href: string;
  readonly kind: FetchKind;
  readonly mode: FetchMode;
  /** A script that no parser and no rendering waits for: `async`, `defer`, a module. */
  readonly isDeferred?: boolean;
}

export const NO_CORS: FetchMode = { credentials: 'include', cors: false };
const CORS_ANONYMOUS: FetchMode = { credentials: 'same-origin', cors: true };
const CORS_WITH_CREDENTIALS: FetchMode = { credentials: 'include', cors: true };

/** Image types that Chromium and Firefox both show; a preload of another is not fetched by all. */
const IMAGES: ReadonlySet<string> = new Set(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif', 'image/svg+xml', 'image/bmp', 'image/x-icon', 'image/vnd.microsoft.icon']);
const FONTS: ReadonlySet<string> = new Set(['font/woff2', 'font/woff', 'font/ttf', 'font/otf', 'font/sfnt', 'font/collection', 'application/font-woff', 'application/x-font-ttf', 'application/x-font-woff']);

/** The attributes that `elementFetches` reads. */
export const FETCH_ATTRIBUTES: readonly string[] = [
  'as', 'async', 'background', 'crossorigin', 'defer', 'disabled', 'event', 'for', 'href', 'imagesrcset', 'language', 'loading', 'media', 'nomodule', 'nonce', 'poster', 'rel', 'src', 'srcset', 'type',
];

/**
 * What a browser is certain to fetch for this element, whatever window it has: what the window decides (`srcset`,
 * `<picture>`), or when it comes into view (`loading=lazy`), is none of it.
 *
 * @param hasSources whether a `<picture>` is open that has had a source, which may win over its image
 */
export function elementFetches({ name, attributes }: Pick<StartTag, 'name' | 'attributes'>, hasSources: boolean): ElementFetch[] {
  const of = (attribute: string): string => attributes.get(attribute) ?? '';
  const fetch = (attribute: string, kind: FetchKind, mode: FetchMode): ElementFetch[] => (of(attribute).trim() === '' ? [] : [{ href: of(attribute), kind, mode }]);
  const isLazy = /^lazy$/i.test(of('loading'));
  switch (name) {
    case 'link':
      return linkFetches(attributes);
    case 'script':
      return scriptFetches(attributes);
    // a browser's parser takes one for the other (HTML, section 13.2.6.4.7)
    case 'image':
    case 'img':
      return hasSources || isLazy || attributes.has('srcset') ? [] : fetch('src', 'image', corsMode(attributes));
    case 'input':
      return /^image$/i.test(of('type')) ? fetch('src', 'image', NO_CORS) : [];
    case 'video':
      return isLazy ? [] : fetch('poster', 'image', NO_CORS);
    case 'body':
      return fetch('background', 'image', NO_CORS);
    default:
      return [];
  }
}

type Attributes = StartTag['attributes'];

/** HTML, section 2.5.4: `crossorigin`. @param isModule fetched with CORS always (section 8.1.4.2, "fetch a module script graph") */
function corsMode(attributes: Attributes, isModule = false): FetchMode {
  const value = attributes.get('crossorigin');
  if (value === undefined && !isModule) return NO_CORS;
  return /^use-credentials$/i.test(value ?? '') ? CORS_WITH_CREDENTIALS : CORS_ANONYMOUS;
}

function linkFetches(attributes: Attributes): ElementFetch[] {
  const href = attributes.get('href') ?? '';
  if (href.trim() === '') return [];
  const rel = new Set((attributes.get('rel') ?? '').toLowerCase().split(/[\t\n\f\r ]+/));
  const media = attributes.get('media') ?? '';
  const type = essence(attributes.get('type') ?? '');
  const fetches: ElementFetch[] = [];
  // a sheet whose condition is false now is fetched all the same, for the day it becomes true; one for paper can wait
  if (rel.has('stylesheet') && !rel.has('alternate') && !attributes.has('disabled') && (type === '' || type === 'text/css') && canMatchScreen(media)) {
    fetches.push({ href, kind: 'style', mode: corsMode(attributes) });
  }
  const destination = (attributes.get('as') ?? '').toLowerCase();
  if (!matchesEveryScreen(media)) return fetches;
  if (rel.has('modulepreload') && (destination === '' || destination === 'script')) fetches.push({ href, kind: 'module', mode: corsMode(attributes, true) });
  if (rel.has('preload')) {
    const kind = preloadKind(destination, type);
    if (kind !== null && !(kind === 'image' && attributes.has('imagesrcset'))) fetches.push({ href, kind, mode: corsMode(attributes) });
  }
  return fetches;
}

/** What a preload may be of, and of which types. */
const PRELOADS: ReadonlyMap<string, readonly [FetchKind, isType: (type: string) => boolean]> = new Map([
  ['style', ['style', (type) => type === 'text/css']],
  ['script', ['script', (type) => JAVASCRIPT.test(type)]],
  ['image', ['image', (type) => IMAGES.has(type)]],
  ['font', ['font', (type) => FONTS.has(type)]],
]);

function preloadKind(destination: string, type: string): FetchKind | null {
  const [kind = null, isType] = PRELOADS.get(destination) ?? [];
  return type === '' || isType?.(type) === true ? kind : null;
}

/** HTML, section 4.12.1.1, "prepare the script element". */
function scriptFetches(attributes: Attributes): ElementFetch[] {
  const href = attributes.get('src') ?? '';
  if (href.trim() === '') return [];
  const type = attributes.get('type');
  const language = attributes.get('language') ?? '';
  if (type?.trim().toLowerCase() === 'module') return [{ href, kind: 'module', mode: corsMode(attributes, true), isDeferred: true }];
  const isClassic = type === undefined ? language === '' || JAVASCRIPT.test(`text/${language.toLowerCase()}`) : type === '' || JAVASCRIPT.test(type.trim().toLowerCase());
  // scripts for an event are those of the window's load, or none
  const isForEvent = attributes.has('event') && attributes.has('for');
  return isClassic && !attributes.has('nomodule') && !isForEvent ? [{ href, kind: 'script', mode: corsMode(attributes), isDeferred: attributes.has('async') || attributes.has('defer') }] : [];
}

function essence(type: string): string {
  return (type.split(';', 1)[0] ?? '').trim().toLowerCase();
}
