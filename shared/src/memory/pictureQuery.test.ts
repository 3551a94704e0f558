import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isOfPicture } from './pictureQuery.ts';

it.each([
  ['https://a.test/a.jpg?w=640&h=480', true],
  ['https://a.test/a.jpg?auto=format,compress&q=75&fit=crop&dpr=2&v=17', true],
  ['https://a.test/wp-content/a.jpg?resize=300%2C200&ssl=1', true],
  ['https://a.test/files/a.jpg?v=1712345678&width=533', true],
  ['https://a.test/_next/image?url=%2Fimg%2Fhero.3f2a9c81d0b34e5f.jpg&w=1920&q=75', true],
  ['https://a.test/_next/image?url=https%3A%2F%2Fcdn.test%2Fhero.jpg&w=1920&q=75', true],
  ['https://a.test/_next/image?url=https%3A%2F%2Fcdn.test%2Fhero.jpg%3Fuser%3D7&w=1920', false],
  ['https://a.test/_next/image?url=https%3A%2F%2Fuser%3Aword%40cdn.test%2Fhero.jpg&w=1920', false],
  [`https://a.test/_next/image?url=%2F${'3f2a9c81d0'.repeat(5)}.jpg&w=1920`, false],
  ['https://a.test/_next/image?url=%E0&w=1920', false],
  ['https://a.test/a.jpg?w=640&user=7', false],
  ['https://a.test/a.jpg?w=3f2a9c81d0b34e5f', false],
  ['https://a.test/a.jpg?w=jane.doe@mail.test', false],
  ['https://a.test/a.jpg?Expires=1&w=640', false],
  ['https://user:word@a.test/a.jpg?w=640', false],
  ['https://a.test/a.jpg?', false],
  ['https://a.test/a.jpg', false],
  ['data:image/png,x?w=1', false],
])('%s says how a picture is made, and nothing else: %s', (url, expected) => expect(isOfPicture(url)).toBe(expected));

it('takes any address', () => {
  fc.assert(fc.property(fc.webUrl({ withQueryParameters: true }), fc.string(), (url, junk) => {
    for (const text of [url, `${url}?url=${junk}`, junk]) expect(typeof isOfPicture(text)).toBe('boolean');
  }));
});
