import { describe, expect, it } from 'vitest';
import { scanStyleSheet } from './cssScanner.ts';
import { StyleImages } from './styleImages.ts';

const SHEET = { url: 'http://a.test/s.css', referrerPolicy: null, index: 1 };
const element = (name: string, attributes: Record<string, string> = {}): { name: string; attributes: Map<string, string> } => ({ name, attributes: new Map(Object.entries(attributes)) });

/** Names of the files that a sheet makes a document fetch. */
function images(css: string, elements: readonly ReturnType<typeof element>[]): string[] {
  const styles = new StyleImages();
  for (const each of elements) styles.element(each);
  styles.sheet(scanStyleSheet(css, SHEET.url), SHEET);
  return styles.take().map(({ url }) => url.slice('http://a.test/'.length));
}

describe('StyleImages', () => {
  it.each([
    ['an element with all names of a compound', '.a.b{background:url(1)} .a.c{background:url(2)}', [element('p', { class: 'a b' }), element('p', { class: 'c' })], ['1']],
    ['all compounds, whatever stands in what', '#x .a{background:url(1)} #y .a{background:url(2)}', [element('p', { class: 'a' }), element('i', { id: 'x' })], ['1']],
    ['one selector of a list', '.n, .a{background:url(1)}', [element('p', { class: 'a' })], ['1']],
    ['upper and lower case alike', 'P.A{background:url(1)}', [element('p', { class: 'a' })], ['1']],
    ['what every document has', 'html,body{background:url(1)}', [], ['1']],
    ['nothing under a condition', '@media (max-width:9px){p{background:url(1)}}', [element('p')], []],
    ['nothing for a state', 'a:hover{background:url(1)}', [element('a')], []],
    ['each URL once', 'p{background:url(1)} i{background:url(1)}', [element('p'), element('i')], ['1']],
    ['no more than sixty', Array.from({ length: 70 }, (_, n) => `p{background:url(${n})}`).join(''), [element('p')], Array.from({ length: 60 }, (_, n) => String(n))],
  ])('%s', (_, css, elements, expected) => expect(images(css, elements)).toEqual(expected));

  it('names an image when its element comes after the sheet, and not again', () => {
    const styles = new StyleImages();
    styles.sheet(scanStyleSheet('.a{background:url(1)}', SHEET.url), SHEET);
    expect(styles.take()).toEqual([]);
    styles.element(element('p', { class: 'a' }));
    expect(styles.take()).toEqual([{ url: 'http://a.test/1', sheet: SHEET }]);
    expect(styles.take()).toEqual([]);
  });
});
