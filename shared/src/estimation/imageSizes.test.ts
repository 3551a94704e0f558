import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ImageSizes } from './imageSizes.ts';

const PHOTO = 'http://a.test/photo.jpg?w=100';
const ICON = 'http://a.test/icon.gif';

describe('ImageSizes', () => {
  it('expects more of a photograph than of an icon before it has seen any', () => {
    const sizes = new ImageSizes();
    expect(sizes.expected(PHOTO)).toBeGreaterThan(sizes.expected(ICON));
  });

  it('comes to expect what it sees, of each format for itself', () => {
    const sizes = new ImageSizes();
    const photoBytes = sizes.expected(PHOTO);
    for (let i = 0; i < 60; i += 1) sizes.learn(ICON, 100);
    expect(sizes.expected('http://b.test/other.GIF')).toBeCloseTo(100, -1);
    expect(sizes.expected(PHOTO)).toBe(photoBytes);
  });

  it('stays within what it has seen and first expected, whatever the names are', () => {
    const url = fc.constantFrom(PHOTO, ICON, 'http://a.test/constructor', 'http://a.test/x.constructor', 'http://a.test/y.toString', 'http://a.test/z.aspx');
    fc.assert(
      fc.property(fc.array(fc.tuple(url, fc.nat(1_000_000))), url, (seen, asked) => {
        const sizes = new ImageSizes();
        const first = sizes.expected(asked);
        for (const [name, bytes] of seen) sizes.learn(name, bytes);
        const all = [first, ...seen.map(([, bytes]) => bytes)];
        expect(sizes.expected(asked)).toBeGreaterThanOrEqual(Math.min(...all) - 1e-6);
        expect(sizes.expected(asked)).toBeLessThanOrEqual(Math.max(...all) + 1e-6);
      }),
    );
  });

  it('keeps one mean for all names that are no format', () => {
    const sizes = new ImageSizes();
    sizes.learn('http://a.test/a.one', 100_000);
    expect(sizes.expected('http://a.test/b.two')).toBe(sizes.expected('http://a.test/a.one'));
  });
});
