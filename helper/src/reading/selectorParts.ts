/** What one element must have to match a compound selector: its name, `#id` and `.class`es, in lower case. */
export type Compound = readonly string[];

/**
 * Pseudo-classes and elements that are there without anybody's doing; of the others (`:hover`, `:checked`, `:not()`)
 * nothing is certain.
 */
const PLAIN_PSEUDO = /^::?(?:link|any-link|root|before|after|first-line|first-letter|first-child|last-child|only-child|first-of-type|last-of-type)$/i;
const PARTS = /(::?[\w-]+)|([.#]?)(-?[_a-z\u0080-\uffff][\w\u0080-\uffff-]*)|(\*)|([\s>+~]+)|(.)/giu;
const MAX_COMPOUNDS = 20;

/**
 * The compounds of each complex selector of a list (Selectors 4, section 3.1): `ul.nav > li, #top` has those of `ul.nav
 * > li` and those of `#top`. What an element is inside of, or beside, is not looked at. A complex selector that can not
 * be told from names alone (attributes, functions, states) is left out.
 */
export function selectorParts(list: string): Compound[][] {
  return list.split(',').flatMap((selector) => compoundsOf(selector.trim()) ?? []);
}

/** In a list of one; null when it can not be told. */
function compoundsOf(selector: string): Compound[][] | null {
  const compounds: string[][] = [[]];
  for (const [, pseudo, sigil = '', name, star, combinator] of selector.matchAll(PARTS)) {
    if (pseudo !== undefined) {
      if (!PLAIN_PSEUDO.test(pseudo)) return null;
    } else if (name !== undefined) compounds.at(-1)?.push(`${sigil}${name}`.toLowerCase());
    else if (combinator !== undefined) compounds.push([]);
    else if (star === undefined) return null;
    if (compounds.length > MAX_COMPOUNDS) return null;
  }
  const told = compounds.filter((compound) => compound.length > 0);
  return told.length === 0 ? null : [told];
}
