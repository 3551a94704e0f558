import type { SheetScan } from './cssScanner.ts';
import type { StartTag } from './htmlTags.ts';
import { selectorParts, type Compound } from './selectorParts.ts';

/** Where a style sheet comes from. */
export interface SheetSource {
  /**
   * Of the sheet; of the document, for one that stands in it. It is the referrer of what the sheet names (CSS Values 4,
   * section 4.5.4).
   */
  readonly url: string;
  /** In lower case; null for the default. */
  readonly referrerPolicy: string | null;
  /** Where the sheet stands in the order of what is fetched; null for one that stands in the document. */
  readonly index: number | null;
}

/** An image that a style names. */
export interface StyleImage {
  readonly url: string;
  readonly sheet: SheetSource;
}

/** The names, ids and classes that an element carries. Elements that are alike count once. */
type Kind = ReadonlySet<string>;

/** One complex selector of a rule. */
interface Selector {
  readonly images: readonly StyleImage[];
  /** Compounds for which there is no element yet. */
  unmet: number;
}

/** A compound that is waiting for an element. */
interface Wanted {
  readonly compound: Compound;
  readonly selectors: Selector[];
  isMet: boolean;
}

const MAX_KINDS = 5_000;
const MAX_NAMES = 50;
const MAX_RULES = 3_000;
/** Of one document: sites whose sheets name hundreds show a part of them. */
const MAX_IMAGES = 60;
/** Names compared in all, whatever document and sheets say; the largest recorded pages need a tenth. */
const MAX_COMPARISONS = 500_000;

/**
 * Which images the styles of a document make the browser fetch, as far as names tell: those of rules without a
 * condition, for whose compounds there are elements. No tree is made: HTML's has rules of its own, and what an element
 * stands in rarely decides what its style names. Browsers fetch such images at the first layout, for every element that
 * is displayed, in view or not (CSS Backgrounds 3, section 2.3); another rule may win, so some are named in vain. Upper
 * and lower case are alike, as in documents in quirks mode.
 */
export class StyleImages {
  private readonly kinds = new Set<string>();
  private readonly kindsByName = new Map<string, Kind[]>();
  private readonly wanted = new Map<string, Wanted>();
  /** Unmet, each by its last name. */
  private readonly wantedByName = new Map<string, Wanted[]>();
  private readonly named = new Set<string>();
  private found: StyleImage[] = [];
  private rules = 0;
  /** How many names were compared so far. */
  comparisons = 0;

  /** The attributes that it reads. */
  static readonly ATTRIBUTES: readonly string[] = ['class', 'id'];

  constructor() {
    // there whatever is written (HTML, sections 13.1.3 and 13.2.6.4)
    for (const name of ['html', 'head', 'body']) this.addKind([name]);
  }

  element({ name, attributes }: Pick<StartTag, 'name' | 'attributes'>): void {
    const id = attributes.get('id')?.trim() ?? '';
    const classes = (attributes.get('class') ?? '').split(/[\t\n\f\r ]+/, MAX_NAMES).filter((each) => each !== '');
    this.addKind([name, ...(id === '' ? [] : [`#${id}`]), ...classes.map((each) => `.${each}`)].map((each) => each.toLowerCase()));
  }

  sheet(scan: Pick<SheetScan, 'backgrounds'>, sheet: SheetSource): void {
    for (const { urls, selector } of scan.backgrounds) {
      if (this.rules >= MAX_RULES) return;
      this.rules += 1;
      const images = urls.map((url) => ({ url, sheet }));
      for (const compounds of selectorParts(selector)) this.want(compounds, images);
    }
  }

  /** What is known by now and was not taken yet; each URL once. */
  take(): StyleImage[] {
    return this.found.splice(0);
  }

  private want(compounds: readonly Compound[], images: readonly StyleImage[]): void {
    const selector: Selector = { images, unmet: 0 };
    for (const compound of compounds) {
      const wanted = this.wantedFor(compound);
      if (wanted.isMet) continue;
      selector.unmet += 1;
      wanted.selectors.push(selector);
    }
    if (selector.unmet === 0) this.name(selector);
  }

  private wantedFor(compound: Compound): Wanted {
    const key = compound.join(' ');
    const known = this.wanted.get(key);
    if (known !== undefined) return known;
    const kinds = compound.map((name) => this.kindsByName.get(name) ?? []).reduce((fewest, each) => (each.length < fewest.length ? each : fewest));
    const wanted: Wanted = { compound, selectors: [], isMet: kinds.some((kind) => this.doesCarry(kind, compound)) };
    this.wanted.set(key, wanted);
    if (!wanted.isMet) addTo(this.wantedByName, compound.at(-1) ?? '', wanted);
    return wanted;
  }

  private addKind(names: readonly string[]): void {
    const key = names.join(' ');
    if (this.kinds.has(key) || this.kinds.size >= MAX_KINDS || this.comparisons >= MAX_COMPARISONS) return;
    this.kinds.add(key);
    const kind = new Set(names);
    for (const name of kind) {
      addTo(this.kindsByName, name, kind);
      const waiting = this.wantedByName.get(name);
      if (waiting === undefined) continue;
      for (const wanted of waiting) if (this.doesCarry(kind, wanted.compound)) this.meet(wanted);
      this.wantedByName.set(name, waiting.filter(({ isMet }) => !isMet));
    }
  }

  private meet(wanted: Wanted): void {
    wanted.isMet = true;
    for (const selector of wanted.selectors) {
      selector.unmet -= 1;
      if (selector.unmet === 0) this.name(selector);
    }
  }

  private name({ images }: Selector): void {
    for (const image of images) {
      if (this.named.size >= MAX_IMAGES || this.named.has(image.url)) continue;
      this.named.add(image.url);
      this.found.push(image);
    }
  }

  /** False when more was compared than a document may cost. */
  private doesCarry(kind: Kind, compound: Compound): boolean {
    if (this.comparisons >= MAX_COMPARISONS) return false;
    return compound.every((name) => {
      this.comparisons += 1;
      return kind.has(name);
    });
  }
}

function addTo<T>(map: Map<string, T[]>, name: string, value: T): void {
  const values = map.get(name);
  if (values === undefined) map.set(name, [value]);
  else values.push(value);
}
