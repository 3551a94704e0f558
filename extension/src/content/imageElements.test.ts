import { afterEach, expect, it, vi } from 'vitest';
import { urlsOfData } from './imageElements.ts';

afterEach(() => vi.unstubAllGlobals());

it('reads what lazy loaders name on a form too, whose own properties its fields hide', () => {
  vi.stubGlobal('document', { baseURI: 'https://shop.test/' });
  vi.stubGlobal('origin', 'https://shop.test');
  const named = new Map([['class', 'hero'], ['data-bg', 'hero.jpg'], ['data-src', 'x'.repeat(9_000)]]);
  // <form><input name=attributes>
  const form = { attributes: { name: 'attributes' }, getAttributeNames: () => [...named.keys()], getAttribute: (name: string) => named.get(name) ?? null };
  expect(urlsOfData(form as unknown as Element)).toEqual(['https://shop.test/hero.jpg']);
});
