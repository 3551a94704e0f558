import type { StartTag } from './htmlTags.ts';
import type { Compound } from './selectorParts.ts';

/** Elements that are alike count once. */
const MAX_KINDS = 5_000;
const MAX_NAMES = 50;

/** Which names, ids and classes the elements of a document carry together. No tree: HTML's has rules of its own, and what an element stands in rarely decides what its style names. */
export class ElementNames {
  private readonly kinds = new Set<string>();
  /** By each name, the kinds of elements that carry it. */
  private readonly byName = new Map<string, Set<number>>();

  /** The attributes that it reads. */
  static readonly ATTRIBUTES: readonly string[] = ['class', 'id'];

  constructor() {
    // there whatever is written (HTML, sections 13.1.3 and 13.2.6.4)
    for (const name of ['html', 'head', 'body']) this.addKind([name]);
  }

  add({ name, attributes }: Pick<StartTag, 'name' | 'attributes'>): void {
    const id = attributes.get('id')?.trim() ?? '';
    const classes = (attributes.get('class') ?? '').split(/[\t\n\f\r ]+/).filter((each) => each !== '');
    const names = [name, ...(id === '' ? [] : [`#${id}`]), ...classes.map((each) => `.${each}`)];
    this.addKind([...new Set(names.slice(0, MAX_NAMES).map((each) => each.toLowerCase()))]);
  }

  /** Whether each of these compounds is some element's. Upper and lower case are alike, as in documents in quirks mode. */
  haveAll(compounds: readonly Compound[]): boolean {
    return compounds.every((compound) => this.has(compound));
  }

  private has(compound: Compound): boolean {
    const [first, ...others] = compound.map((name) => this.byName.get(name) ?? NONE);
    return first !== undefined && [...first].some((kind) => others.every((kinds) => kinds.has(kind)));
  }

  private addKind(names: readonly string[]): void {
    const key = names.join(' ');
    if (this.kinds.has(key) || this.kinds.size >= MAX_KINDS) return;
    const kind = this.kinds.size;
    this.kinds.add(key);
    for (const name of names) {
      const kinds = this.byName.get(name);
      if (kinds === undefined) this.byName.set(name, new Set([kind]));
      else kinds.add(kind);
    }
  }
}

const NONE: ReadonlySet<number> = new Set();
