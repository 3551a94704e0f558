import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { ObjectSizes } from './objectSizes.ts';

const PHOTO = 'http://a.test/photo.jpg?w=100';
const ICON = 'http://a.test/icon.gif';

let sizes: ObjectSizes;
beforeEach(() => void (sizes = new ObjectSizes()));

describe('ObjectSizes', () => {
  it('expects more of a photograph than of an icon before it has seen any', () => {
    expect(sizes.expected(PHOTO)).toBeGreaterThan(sizes.expected(ICON));
  });

  it('comes to expect what it sees, of each format for itself', () => {
    const photoBytes = sizes.expected(PHOTO);
    for (let i = 0; i < 60; i += 1) sizes.learn(ICON, 100);
    expect(sizes.expected('http://b.test/other.GIF')).toBeCloseTo(100, -1);
    expect(sizes.expected(PHOTO)).toBe(photoBytes);
  });

  it('stays within what it has seen and first expected, whatever the names are', () => {
    const url = fc.constantFrom(PHOTO, ICON, 'http://a.test/constructor', 'http://a.test/x.constructor', 'http://a.test/y.toString', 'http://a.test/z.aspx');
    fc.assert(
      fc.property(fc.array(fc.tuple(url, fc.nat(1_000_000))), url, (seen, asked) => {
        const sizes = new ObjectSizes();
        const first = sizes.expected(asked);
        for (const [name, bytes] of seen) sizes.learn(name, bytes);
        const all = [first, ...seen.map(([, bytes]) => bytes)];
        expect(sizes.expected(asked)).toBeGreaterThanOrEqual(Math.min(...all, 1) - 1e-6);
        expect(sizes.expected(asked)).toBeLessThanOrEqual(Math.max(...all) + 1e-6);
      }),
    );
  });

  it('goes by the origin where it has seen one: icons here, photographs there', () => {
    for (let i = 0; i < 20; i += 1) {
      sizes.learn('http://photos.test/a.png', 40_000);
      sizes.learn('http://icons.test/b.png', 200);
    }
    expect(sizes.expected('http://icons.test/c.png')).toBeCloseTo(200, -2);
    expect(sizes.expected('http://photos.test/d.png')).toBeCloseTo(40_000, -3);
  });

  it('is not carried away by one large image', () => {
    const before = sizes.expected(PHOTO);
    sizes.learn(PHOTO, 100 * before);
    expect(sizes.expected(PHOTO)).toBeLessThan(4 * before);
  });

  it('forgets the origin that was seen longest ago, of more than five hundred', () => {
    sizes.learn('http://first.test/a.gif', 100_000);
    const remembered = sizes.expected('http://first.test/b.gif');
    for (let i = 0; i < 499; i += 1) sizes.learn(`http://${i}.test/a.png`, 100);
    expect(sizes.expected('http://first.test/b.gif')).toBe(remembered);
    sizes.learn('http://last.test/a.png', 100);
    expect(sizes.expected('http://first.test/b.gif')).not.toBe(remembered);
  });

  it('keeps one mean for all names that are no format', () => {
    sizes.learn('http://a.test/a.one', 100_000);
    expect(sizes.expected('http://a.test/b.two')).toBe(sizes.expected('http://a.test/a.one'));
  });
});
