import { TokenType, type CSSToken } from '@csstools/css-tokenizer';

/** Functions whose result the window or the page decides. */
const UNCERTAIN_FUNCTION = /^(?:var|env|attr|if|first-valid|image|image-set|-webkit-image-set|cross-fade|-webkit-cross-fade|element|-moz-element|paint|random)$/;

/** The URLs that a value names; null when it depends on more than the sheet. */
export function hrefsOf(value: readonly CSSToken[]): string[] | null {
  if (value.some((token) => isFunction(token, UNCERTAIN_FUNCTION))) return null;
  return value.flatMap((_, place) => hrefAt(value, place) ?? []);
}

/** The URL that begins at this place: `url(a)`, `url("a")` or `src("a")`. */
export function hrefAt(tokens: readonly CSSToken[], place: number): string | null {
  const token = tokens[place];
  if (token === undefined) return null;
  if (token[0] === TokenType.URL) return token[4].value;
  if (!isFunction(token, /^(?:url|src)$/)) return null;
  const next = tokens.slice(place + 1, place + 1 + MAX_SPACES).find((each) => !isSpace(each));
  return next?.[0] === TokenType.String ? next[4].value : null;
}

/** Comments and white space between a bracket and what it holds. */
const MAX_SPACES = 8;

export function splitAtCommas(tokens: readonly CSSToken[]): CSSToken[][] {
  const parts: CSSToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    depth += opens(token) ? 1 : closes(token) ? -1 : 0;
    if (token[0] === TokenType.Comma && depth === 0) parts.push([]);
    else parts.at(-1)?.push(token);
  }
  return parts;
}

/** As written, without comments, one space for each run of them. */
export function textOf(tokens: readonly CSSToken[]): string {
  return tokens.map((token) => (token[0] === TokenType.Comment ? '' : token[0] === TokenType.Whitespace ? ' ' : token[1])).join('').replace(/ +/g, ' ').trim();
}

export function isSpace(token: CSSToken): boolean {
  return token[0] === TokenType.Whitespace || token[0] === TokenType.Comment;
}

export function opens(token: CSSToken): boolean {
  return token[0] === TokenType.OpenParen || token[0] === TokenType.Function || token[0] === TokenType.OpenSquare || token[0] === TokenType.OpenCurly;
}

export function closes(token: CSSToken): boolean {
  return token[0] === TokenType.CloseParen || token[0] === TokenType.CloseSquare || token[0] === TokenType.CloseCurly;
}

function isFunction(token: CSSToken, name: RegExp): boolean {
  return token[0] === TokenType.Function && name.test(token[4].value.toLowerCase());
}
