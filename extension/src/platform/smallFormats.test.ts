import { expect, it } from 'vitest';
import { isSmallFormat } from './smallFormats.ts';

it.each([
  ['https://a.test/icon.GIF', true],
  ['https://a.test/icon.png?v=3', true],
  ['https://a.test/icons.png@v=3', true],
  ['https://a.test/icons.png;version=3#x', true],
  ['https://a.test/photo.jpg', false],
  ['https://a.test/icon.png.jpg', false],
  ['https://a.test/icon.png/photo', false],
  ['https://a.test/iconspng', false],
  ['https://a.test/photo?name=icon.png', false],
])('%s is a small format: %s', (url, expected) => expect(isSmallFormat(url)).toBe(expected));
