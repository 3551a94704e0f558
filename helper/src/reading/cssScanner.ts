import { TokenType, tokenizer, type CSSToken } from '@csstools/css-tokenizer';
import { closes, hrefAt, hrefsOf, isSpace, opens, splitAtCommas, textOf } from './cssValues.ts';
import { resolveFetchUrl } from './fetchUrls.ts';
import { matchesEveryScreen } from './mediaQueries.ts';
import { withoutPlainBlocks } from './plainBlocks.ts';

/** What a sheet names for certain: nothing of what the window, or support for something, decides. */
export interface SheetScan {
  /** URLs of the sheets that it imports. */
  readonly imports: readonly string[];
  readonly backgrounds: readonly Background[];
}

/** Images that are fetched when an element matches, is displayed, and no other rule wins over this one. */
export interface Background {
  /** Of nested rules with the outer ones put in. */
  readonly selector: string;
  readonly urls: readonly string[];
}

const MAX_SHEET_CHARS = 4 * 1024 * 1024;
/** Junk: each costs an Error with its stack. */
const MAX_BAD_TOKENS = 1_000;
const MAX_FOUND = 5_000;
const MAX_DEPTH = 32;
const MAX_SELECTOR_CHARS = 2_000;
/** In one selector; each takes the outer one in, which may hold others. */
const MAX_NESTING_SELECTORS = 8;
/** Of all selectors with outer ones put in, which can be two thousand times what is written. */
const MAX_NESTED_CHARS = 256 * 1024;

/**
 * What a complete style sheet names. Tokens are those of CSS Syntax 3 (@csstools/css-tokenizer: the standard's own
 * algorithm, typed, linear, never throws; css-tree would bring a grammar of all properties, which is not needed to find
 * URLs); blocks are read as section 5.4 says, nested rules included.
 *
 * Never throws. Of a sheet without end, or of junk, it gives what it has found until then.
 *
 * @param url absolute, of the sheet; of the document's base for an inline one
 */
export function scanStyleSheet(css: string, url: string): SheetScan {
  return new SheetReader(css, url).read();
}

/** A block that is open. */
interface Block {
  readonly type: 'group' | 'style' | 'ignored';
  /** Of the nearest style rule; empty outside of any. */
  readonly selector: string;
  readonly declarations: Map<string, Declaration>;
}

interface Declaration {
  readonly value: readonly CSSToken[];
  readonly isImportant: boolean;
}

/** What may come before `@import` (CSS Cascade 5, section 2). */
const BEFORE_IMPORTS: ReadonlySet<string> = new Set(['charset', 'import', 'layer']);

class SheetReader {
  private readonly css: string;
  private readonly url: string;
  private readonly found = { imports: [] as string[], backgrounds: [] as Background[] };
  private readonly blocks: Block[] = [{ type: 'group', selector: '', declarations: new Map() }];
  /** How many blocks are open beyond those that are read. */
  private tooDeep = 0;
  private statement: CSSToken[] = [];
  /** Of the statement: brackets that are open. */
  private brackets = 0;
  private mayImport = true;
  private nestedChars = 0;

  constructor(css: string, url: string) {
    this.css = withoutPlainBlocks(css.slice(0, MAX_SHEET_CHARS));
    this.url = url;
  }

  read(): SheetScan {
    let badTokens = 0;
    const source = tokenizer({ css: this.css }, { onParseError: () => (badTokens += 1) });
    while (!source.endOfFile() && badTokens < MAX_BAD_TOKENS && this.count < MAX_FOUND) this.take(source.nextToken());
    return this.found;
  }

  private get count(): number {
    return this.found.imports.length + this.found.backgrounds.length;
  }

  private get block(): Block {
    const innermost = this.blocks.at(-1);
    if (innermost === undefined) throw new Error('the sheet itself is never closed');
    return innermost;
  }

  private take(token: CSSToken): void {
    const [type] = token;
    if (this.brackets > 0) {
      this.brackets += opens(token) ? 1 : closes(token) ? -1 : 0;
      this.statement.push(token);
    } else if (type === TokenType.OpenCurly) this.openBlock(this.takeStatement());
    else if (type === TokenType.CloseCurly && this.blocks.length > 1) this.closeBlock();
    else if (type === TokenType.Semicolon) this.endStatement();
    else if (type !== TokenType.CDO && type !== TokenType.CDC && (this.statement.length > 0 || !isSpace(token))) {
      if (opens(token)) this.brackets += 1;
      this.statement.push(token);
    }
  }

  private takeStatement(): CSSToken[] {
    const { statement } = this;
    this.statement = [];
    return statement;
  }

  private openBlock(prelude: CSSToken[]): void {
    if (this.blocks.length >= MAX_DEPTH) {
      this.tooDeep += 1;
      return;
    }
    const name = atKeyword(prelude);
    if (this.blocks.length === 1) this.mayImport = false;
    const { selector, type } = this.block;
    const open = (next: Partial<Block>): void => void this.blocks.push({ type: 'ignored', selector, declarations: new Map(), ...next });
    if (type === 'ignored' || isCustomProperty(prelude)) open({});
    else if (name === null) {
      const inner = this.nestedSelector(selector, prelude);
      open(inner === '' ? {} : { type: 'style', selector: inner });
    } else if (name === 'layer' || (name === 'media' && matchesEveryScreen(textOf(prelude.slice(1))))) {
      // a group inside a style rule holds declarations of that rule
      open({ type: selector === '' ? 'group' : 'style' });
    } else open({});
  }

  private closeBlock(): void {
    // the last declaration needs no semicolon
    this.endStatement();
    if (this.tooDeep > 0) {
      this.tooDeep -= 1;
      return;
    }
    const block = this.blocks.pop();
    if (block?.type === 'style') this.addBackgrounds(block);
  }

  private endStatement(): void {
    const statement = this.takeStatement();
    if (statement.length === 0 || this.tooDeep > 0) return;
    const name = atKeyword(statement);
    if (this.blocks.length === 1) {
      if (name === 'import' && this.mayImport) this.addImport(statement.slice(1));
      else if (name === null || !BEFORE_IMPORTS.has(name)) this.mayImport = false;
      return;
    }
    if (name !== null) return;
    const [property, ...rest] = statement;
    const colon = rest.findIndex((token) => !isSpace(token));
    if (property?.[0] !== TokenType.Ident || rest[colon]?.[0] !== TokenType.Colon) return;
    const value = rest.slice(colon + 1);
    const isImportant = /! ?important$/i.test(textOf(value.slice(-4)));
    // in either property the last one counts, and both set the same images
    const slot = property[4].value.toLowerCase().replace(/^background-image$/, 'background');
    const { declarations } = this.block;
    if (declarations.get(slot)?.isImportant === true && !isImportant) return;
    declarations.set(slot, { value, isImportant });
  }

  private addImport(statement: CSSToken[]): void {
    const place = statement.findIndex((token) => !isSpace(token));
    const first = statement[place];
    const href = first?.[0] === TokenType.String ? first[4].value : hrefAt(statement, place);
    const url = href === null || href === '' ? null : resolveFetchUrl(href, this.url, true);
    if (url === null) return;
    const end = first?.[0] === TokenType.Function ? statement.findIndex((token, at) => at > place && token[0] === TokenType.CloseParen) : place;
    const media = textOf(statement.slice(end + 1)).replace(/^layer(?:\([^()]*\))?(?=$|\s)/i, '').trim();
    if (end >= 0 && matchesEveryScreen(media)) this.found.imports.push(url);
  }

  private addBackgrounds({ selector, declarations }: Block): void {
    const value = declarations.get('background')?.value;
    const urls = ((value && hrefsOf(value)) ?? []).flatMap((href) => this.resolve(href) ?? []);
    if (urls.length > 0) this.found.backgrounds.push({ selector, urls });
  }

  /** A fragment alone names something in the page. */
  private resolve(href: string): string | null {
    return href === '' || href.startsWith('#') ? null : resolveFetchUrl(href, this.url, true);
  }

  /**
   * CSS Nesting 1, section 3: `&` is what the outer rule matches; without one, the inner selector is relative to it.
   *
   * @returns empty for none, and for one that is too long to be of use
   */
  private nestedSelector(outer: string, prelude: readonly CSSToken[]): string {
    const own = textOf(prelude);
    if (own.length > MAX_SELECTOR_CHARS || own.split('&').length > MAX_NESTING_SELECTORS) return '';
    if (outer === '') return own;
    if (this.nestedChars > MAX_NESTED_CHARS) return '';
    const selector = splitAtCommas(prelude)
      .map((part) => textOf(part))
      .map((part) => (part.includes('&') ? part.replaceAll('&', () => `:is(${outer})`) : `:is(${outer}) ${part}`))
      .join(', ');
    this.nestedChars += selector.length;
    return selector.length > MAX_SELECTOR_CHARS ? '' : selector;
  }
}

/** The name of an at-rule, in lower case. */
function atKeyword([first]: readonly CSSToken[]): string | null {
  return first?.[0] === TokenType.AtKeyword ? first[4].value.toLowerCase() : null;
}

/** `--x: { ... }` is a value with braces, and no rule. */
function isCustomProperty([first, ...rest]: readonly CSSToken[]): boolean {
  return first?.[0] === TokenType.Ident && first[4].value.startsWith('--') && rest.find((token) => !isSpace(token))?.[0] === TokenType.Colon;
}
