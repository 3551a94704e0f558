import type { StartTag } from './htmlTags.ts';

/** One link of a field (RFC 8288, section 3), with its parameters. Spaces behind `=` are read in one way alone: what can be read in two, parameter for parameter, is tried in all of them where no link comes of it. */
const LINK = /\s*<([!-=?-~]*)>((?:\s*;\s*[^\s=;,"]+(?:\s*=(?:\s*(?:"(?:[^"\\]|\\.)*"|[^",;\s]+))?)?)*)\s*(?:,|$)/y;
const PARAMETER = /;\s*([^\s=;,"]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*)))?/g;

/**
 * What a browser loads ahead for a document because of its Link fields (HTML, section 4.2.4.4), as the `<link>` elements
 * that say the same. What says of which other document it is a link of (`anchor`), or is a style sheet for some browsers
 * only, is left out.
 */
export function linkedElements(values: readonly string[]): Pick<StartTag, 'name' | 'attributes' | 'isCut'>[] {
  return values.flatMap((value) => [...linksOf(value)]).flatMap((attributes) => {
    const isLoaded = /(^|\s)(module)?preload(\s|$)/i.test(attributes.get('rel') ?? '') && !/stylesheet/i.test(attributes.get('rel') ?? '');
    return isLoaded && !attributes.has('anchor') ? [{ name: 'link', attributes, isCut: false }] : [];
  });
}

function* linksOf(value: string): Generator<ReadonlyMap<string, string>> {
  LINK.lastIndex = 0;
  for (let link = LINK.exec(value); link !== null && link[0] !== ''; link = LINK.exec(value)) {
    const end = LINK.lastIndex;
    const attributes = new Map([['href', link[1] ?? '']]);
    // the first of a name counts
    for (const [, name = '', quoted, token = ''] of (link[2] ?? '').matchAll(PARAMETER)) {
      const attribute = name.toLowerCase();
      if (!attributes.has(attribute)) attributes.set(attribute, quoted?.replace(/\\(.)/g, '$1') ?? token);
    }
    yield attributes;
    LINK.lastIndex = end;
  }
}
