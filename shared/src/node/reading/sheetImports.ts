import { TokenType, tokenizer, type CSSToken } from '@csstools/css-tokenizer';
import { resolveFetchUrl } from './fetchUrls.ts';
import { matchesEveryScreen } from './mediaQueries.ts';

/** What may stand before `@import` (CSS Cascade 5, section 2). */
const BEFORE_IMPORTS: ReadonlySet<string> = new Set(['charset', 'import', 'layer']);
const MAX_IMPORTS = 100;
/** Each costs an Error with its stack. */
const MAX_BAD_TOKENS = 100;

/**
 * URLs of the sheets that the beginning of a style sheet imports whatever the window. Tokens are those of CSS Syntax 3
 * (@csstools/css-tokenizer), each read once; reading ends with the first rule, behind which no import counts. Never
 * throws.
 *
 * @param css from the sheet's beginning; what is cut off is not named
 * @param url absolute, of the sheet; of the document's base for an inline one
 * @param read hears how many characters were read
 */
export function sheetImports(css: string, url: string, read: (chars: number) => void = () => undefined): string[] {
  const imports: string[] = [];
  let badTokens = 0;
  let chars = 0;
  let statement: CSSToken[] = [];
  let hasImport = false;
  const source = tokenizer({ css }, { onParseError: () => (badTokens += 1) });
  while (!source.endOfFile() && imports.length < MAX_IMPORTS && badTokens < MAX_BAD_TOKENS) {
    const token = source.nextToken();
    const [type, text] = token;
    chars += text.length;
    if (type === TokenType.OpenCurly) break;
    if (type === TokenType.Semicolon) {
      const isImport = statement[0] !== undefined && atKeyword(statement[0]) === 'import';
      // no import counts behind layers that stand behind one
      if (hasImport && !isImport && statement.length > 0) break;
      hasImport ||= isImport;
      imports.push(...importOf(statement, url));
      statement = [];
    } else if (statement.length > 0) statement.push(token);
    else if (!isSpace(token)) {
      if (!BEFORE_IMPORTS.has(atKeyword(token))) break;
      statement.push(token);
    }
  }
  read(chars);
  return imports;
}

/** @returns nothing for a statement that imports nothing, or under a condition */
function importOf([keyword, ...rest]: readonly CSSToken[], base: string): string[] {
  if (keyword === undefined || atKeyword(keyword) !== 'import') return [];
  const [first, second, third, ...others] = rest.filter((token) => !isSpace(token));
  const isFunction = first?.[0] === TokenType.Function && /^(?:url|src)$/i.test(first[4].value);
  const source = isFunction ? second : first;
  const href = source?.[0] === TokenType.String || (source?.[0] === TokenType.URL && !isFunction) ? source[4].value : '';
  const isClosed = !isFunction || third?.[0] === TokenType.CloseParen;
  const conditions = (isFunction ? others : [second, third, ...others]).flatMap((token) => token?.[1] ?? []).join(' ');
  const media = conditions.replace(/^layer(?: ?\( [^()]*\))?(?=$| )/i, '').trim();
  const url = href === '' || !isClosed || !matchesEveryScreen(media) ? null : resolveFetchUrl(href, base, true);
  return url === null ? [] : [url];
}

/** The name of an at-rule, in lower case; empty for other tokens. */
function atKeyword(token: CSSToken): string {
  return token[0] === TokenType.AtKeyword ? token[4].value.toLowerCase() : '';
}

/** White space, comments, and the marks that hide sheets from browsers of old. */
function isSpace([type]: CSSToken): boolean {
  return type === TokenType.Whitespace || type === TokenType.Comment || type === TokenType.CDO || type === TokenType.CDC;
}
