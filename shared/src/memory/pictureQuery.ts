import { hasSecretPath } from './secretUrl.ts';

/** Names of parameters that say how a picture is to be made, as servers that make them on demand have them. */
const NAMES: ReadonlySet<string> = new Set([
  'ar', 'auto', 'blur', 'compress', 'crop', 'dpr', 'fit', 'fm', 'fmt', 'format', 'gravity', 'h', 'height', 'mode', 'optimize', 'q', 'quality', 'rect', 'resize', 'rotate', 'scale', 'sharp', 'size', 'ssl', 'strip', 'trim',
  'upscale', 'v', 'w', 'webp', 'width', 'zoom',
]);
/** A few numbers or words, each shorter than what may be random. */
const VALUE = /^(?:[a-z\d]{1,11}(?:[_.,:*-]|%2c|%3a|$)){0,5}$/i;
/** Names the picture that it is made of (`/_next/image`). */
const SOURCE = 'url';
const PLAIN_SOURCE = /^(?:https?:\/\/[^/?#@\s]+)?\/(?!\/)[^?#\s]*$/i;

/**
 * Whether the query of a picture's address says how the picture is to be made, and nothing else: as that of the window,
 * it is asked for again, and nothing in it is of the visitor.
 */
export function isOfPicture(url: string): boolean {
  const [, query = ''] = /^https?:\/\/[^/?#@]+\/[^?#]*\?([^#]*)$/i.exec(url) ?? [];
  return query !== '' && !hasSecretPath(url) && query.split('&').every((parameter) => {
    const [name = '', value = ''] = parameter.split(/=(.*)/s, 2);
    return name.toLowerCase() === SOURCE ? isPlainSource(value) : NAMES.has(name.toLowerCase()) && VALUE.test(value);
  });
}

function isPlainSource(value: string): boolean {
  try {
    const source = decodeURIComponent(value);
    return PLAIN_SOURCE.test(source) && !hasSecretPath(source.startsWith('/') ? `https://own.invalid${source}` : source);
  } catch {
    return false;
  }
}
