import { basename } from 'node:path';
import { readFile } from 'node:fs/promises';
import { worldOf, type Screen } from '../screenPage.ts';
import type { OpenPage } from '../stage.ts';

/** What is the same in every language. */
const NAMES = ['Firstscreen'];

/** In a page in the language of tests: texts that are not in `_locales`, and those that are not seen whole. */
export async function textFindings(page: OpenPage, screen: Screen): Promise<string[]> {
  const words = [...NAMES, ...(await dataOf(screen))].flatMap((text) => text.match(/[a-z]+/gi) ?? []);
  const [literal, cut] = [await page.evaluate(literalTexts, [...new Set(words)]), await page.evaluate(cutTexts, null)];
  return [...literal.map((text) => `not in _locales: ${text}`), ...cut.map((text) => `cut off: ${text}`)];
}

/** All texts that a page has from elsewhere. */
async function dataOf({ page, state }: Screen): Promise<string[]> {
  const files = (state.steps ?? []).flatMap((step) => ('file' in step ? step.file : []));
  const contents = await Promise.all(files.map(async (file) => JSON.parse(await readFile(file, 'utf8')) as unknown));
  return [page.name, ...files.map((file) => basename(file)), ...textsIn([worldOf(state), ...contents])];
}

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

/** Runs in the page. @param known words of its data */
function literalTexts(known: readonly string[]): string[] {
  const ATTRIBUTES = ['alt', 'aria-description', 'aria-label', 'placeholder', 'title'];
  const data = new Set(known);
  const found = [document.title];
  for (const element of document.querySelectorAll('body, body *')) {
    // commands are the same in every language; what is hidden now counts too
    if (['CODE', 'SCRIPT', 'STYLE'].includes(element.tagName)) continue;
    for (const { nodeType, nodeValue } of element.childNodes) if (nodeType === Node.TEXT_NODE) found.push(nodeValue ?? '');
    for (const name of ATTRIBUTES) found.push(element.getAttribute(name) ?? '');
  }
  const isLiteral = (text: string): boolean => (text.match(/[a-z]{2,}/gi) ?? []).some((word) => !data.has(word));
  return [...new Set(found.map((text) => text.trim()).filter(isLiteral))];
}

/** Runs in the page: texts in the language of tests that do not fit into their element, or reach over the window. */
function cutTexts(): string[] {
  const isOurs = (text: string): boolean => /[⟦⟧]/.test(text);
  // what is for screen readers alone is clipped; a list of choices opens
  const isApart = (element: Element): boolean => getComputedStyle(element).clipPath !== 'none' || element.tagName === 'SELECT' || element.tagName === 'OPTION';
  // what is seen in part says all of it when it is pointed at
  const isTold = (element: Element): boolean => isOurs(element.closest('[title]')?.getAttribute('title') ?? '');
  // a text in a drawing has no box of its own: it is cut off where the drawing ends
  const isOutside = (element: SVGElement): boolean => {
    const drawing = element.ownerSVGElement?.getBoundingClientRect();
    const { left, right, top, bottom } = element.getBoundingClientRect();
    return drawing !== undefined && (left < drawing.left || right > drawing.right || top < drawing.top || bottom > drawing.bottom);
  };
  const isCut = (element: Element): boolean => {
    if (element instanceof SVGElement) return isOutside(element);
    const { overflowX, overflowY, display } = getComputedStyle(element);
    if (display === 'inline' || element.clientWidth === 0) return false;
    const isWider = element.scrollWidth > element.clientWidth + 1 && !['auto', 'scroll'].includes(overflowX);
    const isHigher = element.scrollHeight > element.clientHeight + 1 && ['clip', 'hidden'].includes(overflowY);
    return isWider || isHigher;
  };
  const seen = [...document.querySelectorAll('*')].filter((element) => element.checkVisibility({ visibilityProperty: true }) && isOurs(element.textContent) && !isApart(element) && !isTold(element));
  const cut = seen.filter(isCut);
  const { scrollWidth, clientWidth } = document.documentElement;
  const window = scrollWidth > clientWidth ? ['the page, at the side of the window'] : [];
  // of what is in one another the inmost one is to blame
  const inmost = cut.filter((element) => !cut.some((other) => other !== element && element.contains(other)));
  return [...window, ...inmost.map((element) => `<${element.tagName.toLowerCase()}${element.id === '' ? '' : ` id=${element.id}`}> ${element.textContent.trim().slice(0, 80)}`)];
}
