import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { serverTag, variantTag, withServerTags, withVariantTag } from './variantTag.ts';

const tag = fc.tuple(fc.constantFrom('', 'W/'), fc.string({ unit: fc.constantFrom('!', '#', 'a', 'Z', '0', '~', '.', '/', '-', ','), maxLength: 20 })).map(([weak, opaque]) => `${weak}"${opaque}"`);
const type = fc.constantFrom('image/avif', 'image/webp');

describe('tags of variants', () => {
  it('are weak, differ by kind, and lead back to just the tag of the server', () => {
    fc.assert(fc.property(tag, type, (own, kind) => {
      const variant = variantTag(own, kind);
      expect([variant?.startsWith('W/"'), serverTag(variant ?? '')]).toEqual([true, own]);
      expect(serverTag(own)).toBeNull();
    }));
    expect(new Set(['image/avif', 'image/webp'].map((kind) => variantTag('"a"', kind))).size).toBe(2);
  });

  it('are none where the server has none', () => {
    expect(['', 'a', '"a', '"a"b"'].map((own) => variantTag(own, 'image/avif'))).toEqual([null, null, null, null]);
  });

  it('are asked for in the words of the server, and answered in those of the browser', () => {
    const variant = 'W/"a.firstscreen-s-avif"';
    const request = ['host', 'a.test', 'if-none-match', `"b", ${variant}`];
    expect(withServerTags(request, true)).toEqual(['host', 'a.test', 'if-none-match', '"b", "a"']);
    expect(withVariantTag(['ETag', '"a"', 'date', 'now'], request)).toEqual(['ETag', variant, 'date', 'now']);
    expect(withVariantTag(['etag', '"c"'], request)).toEqual(['etag', '"c"']);
  });

  it('say nothing of what a script reads', () => {
    expect(withServerTags(['if-none-match', 'W/"a.firstscreen-s-avif"', 'host', 'a.test'], false)).toEqual(['host', 'a.test']);
    expect(withServerTags(['if-none-match', '"b"'], false)).toEqual(['if-none-match', '"b"']);
  });
});
