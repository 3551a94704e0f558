import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeLazy } from './lazyImages.ts';

const FAR = 'http://page.test/far.png';
const GIVEN_UP_MS = 50;

/** As much of an image element as is used. */
class FakeImage {
  readonly attributes = new Map([['src', FAR]]);
  readonly style = { display: '' };
  readonly parentElement = null;
  readonly complete = false;
  readonly hidden = false;
  readonly currentSrc = '';
  readonly srcset = '';
  loading = 'eager';

  get src(): string {
    return this.attributes.get('src') ?? '';
  }

  getAttribute(name: string): string | null {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name: string): boolean {
    return this.attributes.has(name);
  }

  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }

  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
}

let image: FakeImage;
beforeEach(() => {
  vi.useFakeTimers();
  image = new FakeImage();
  vi.stubGlobal('document', { baseURI: 'http://page.test/', querySelectorAll: () => [image] });
  vi.stubGlobal('origin', 'http://page.test');
  vi.stubGlobal('HTMLImageElement', FakeImage);
  for (const name of ['HTMLPictureElement', 'HTMLInputElement', 'HTMLVideoElement', 'SVGImageElement']) vi.stubGlobal(name, vi.fn());
});
afterEach(() => vi.useRealTimers());

it('takes the source away until the request is given up, and says that an image is lazy when the browser has heard of that', async () => {
  let said: unknown = null;
  void makeLazy([FAR], Infinity).then((made) => (said = made));
  expect([image.src, image.loading]).toEqual(['', 'eager']);
  // after it, however late, comes the same time again: on a thread that was kept busy the request was given up just before
  await vi.advanceTimersByTimeAsync(GIVEN_UP_MS);
  expect([image.src, image.loading, said]).toEqual([FAR, 'lazy', null]);
  await vi.advanceTimersByTimeAsync(GIVEN_UP_MS);
  expect(said).toEqual({ lazy: [FAR], others: [] });
});
