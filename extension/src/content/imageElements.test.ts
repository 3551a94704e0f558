import { expect, it, vi } from 'vitest';
import { shownImages, urlsOfData } from './imageElements.ts';

it('reads what lazy loaders name on a form too, whose own properties its fields hide', () => {
  vi.stubGlobal('document', { baseURI: 'https://shop.test/' });
  vi.stubGlobal('origin', 'https://shop.test');
  const named = new Map([['class', 'hero'], ['data-bg', 'hero.jpg'], ['data-src', 'x'.repeat(9_000)]]);
  // <form><input name=attributes>
  const form = { attributes: { name: 'attributes' }, getAttributeNames: () => [...named.keys()], getAttribute: (name: string) => named.get(name) ?? null };
  expect(urlsOfData(form as unknown as Element)).toEqual(['https://shop.test/hero.jpg']);
});

it('gathers the elements that show one image, and none that shows what nobody asks a server for', () => {
  class Image {
    readonly currentSrc = '';
    readonly src: string;
    constructor(src: string) {
      this.src = src;
    }
  }
  const [one, other] = [new Image('https://shop.test/a.png#x'), new Image('https://shop.test/a.png')];
  vi.stubGlobal('HTMLImageElement', Image);
  vi.stubGlobal('document', { querySelectorAll: () => [one, new Image('data:image/gif;base64,AAAA'), new Image(''), other] });
  vi.stubGlobal('origin', 'https://shop.test');
  expect([...shownImages()]).toEqual([['https://shop.test/a.png', [one, other]]]);
});
