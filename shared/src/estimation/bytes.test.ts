import { expect, it } from 'vitest';
import fc from 'fast-check';
import { estimateImageBytes, extensionOf } from './bytes.ts';

const EXPECTED_BYTES = 1_234;

it('an estimate is between the header and the largest photograph, and grows with the area of what is no stretched background', () => {
  const side = fc.double({ min: 0.5, max: 300, noNaN: true });
  fc.assert(
    fc.property(side, side, fc.constantFrom('a.png', 'b.JPG?x=1', 'c', 'd.webp#f'), (width, height, url) => {
      const bytesOf = (factor: number): number =>
        estimateImageBytes(`http://a.test/${url}`, width * factor * height, EXPECTED_BYTES);
      expect(bytesOf(1)).toBeGreaterThanOrEqual(700);
      expect(bytesOf(1)).toBeLessThanOrEqual(60_000);
      expect(bytesOf(2)).toBeGreaterThanOrEqual(bytesOf(1));
    }),
  );
});

it('expects what it is told of an image that has no size on screen, or one as large as the screen', () => {
  for (const pixels of [null, 0, 2_000_000]) expect(estimateImageBytes('http://a.test/a.jpg', pixels, EXPECTED_BYTES)).toBe(EXPECTED_BYTES);
});

it.each([
  ['http://a.test/x.PNG', 'png'],
  ['http://a.test/x.png?v=3', 'png'],
  ['http://a.test/x.png;v=3', 'png'],
  ['http://a.test/x.png@3#f', 'png'],
  ['http://a.test/x.png.jpg', 'jpg'],
  ['http://a.test/x.png/y', ''],
  ['http://a.test/x', ''],
])('the format of %s is "%s"', (url, expected) => expect(extensionOf(url)).toBe(expected));

it('a format is told in time however a URL is made', () => {
  const startMs = Date.now();
  expect(extensionOf(`http://a.test/${'.ab-'.repeat(64 * 1024)}/x.png`)).toBe('png');
  expect(Date.now() - startMs).toBeLessThan(500);
});
