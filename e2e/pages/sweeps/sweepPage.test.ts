import { describe, expect, it } from 'vitest';
import { createRandom } from '../random.ts';
import { deviation } from './objectSizes.ts';
import { sweepPage, type PageSpec } from './sweepPage.ts';

const SPEC: PageSpec = { inView: 18, offScreen: 36, meanBytes: 8_000, sdBytes: 8_000, servers: 2 };
const page = (change: Partial<PageSpec> = {}, seed = 1) => sweepPage(createRandom(seed), { ...SPEC, ...change });

/** Images in the order of the document, by whether they are in the part of their column that is in view. */
function imagesOf(html: string): { inView: string[]; offScreen: string[] } {
  const urls = (text: string) => [...text.matchAll(/<img src="([^"]+)"/g)].map(([, url = '']) => url);
  const columns = html.split('<div class="column">').slice(1).map((column) => column.split(/<\/div>\n<\/div>\n/));
  return { inView: columns.flatMap(([screen = '']) => urls(screen)), offScreen: columns.flatMap(([, ...below]) => urls(below.join(''))) };
}

describe('sweepPage', () => {
  it('has as many images in view and off screen as asked for, of the sizes asked for', async () => {
    const [document, , ...pictures] = await page();
    const { inView, offScreen } = imagesOf(String(Buffer.from(document!.body)));
    expect([inView.length, offScreen.length]).toEqual([18, 36]);
    expect(new Set([...inView, ...offScreen])).toEqual(new Set(pictures.map(({ url }) => url)));
    for (const urls of [inView, offScreen]) {
      const sizes = pictures.filter(({ url }) => urls.includes(url)).map(({ body }) => body.length);
      expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(urls.length * 8_000);
      expect(deviation(sizes)).toBeCloseTo(8_000, -1);
    }
  });

  it('is entered at its document, and uses as many servers as asked for', async () => {
    for (const servers of [1, 2, 8]) {
      const objects = await page({ servers });
      expect(objects[0]?.url).toBe('http://s1.figures.test/');
      expect(new Set(objects.map(({ url }) => new URL(url).host)).size).toBe(servers);
    }
  });

  it('asks for images below the fold before some that are in view, as tables do', async () => {
    const [document] = await page();
    const html = String(Buffer.from(document!.body));
    const { inView, offScreen } = imagesOf(html);
    const last = Math.max(...inView.map((url) => html.indexOf(url)));
    expect(offScreen.some((url) => html.indexOf(url) < last)).toBe(true);
  });

  it('changes nothing but the servers when they are swept', async () => {
    const sizes = (objects: Awaited<ReturnType<typeof page>>) => objects.slice(2).map(({ body }) => body.length);
    expect(sizes(await page({ servers: 1 }))).toEqual(sizes(await page({ servers: 8 })));
  });

  it('is the same for the same seed, another for another', async () => {
    const [first, again, other] = [await page(), await page(), await page({}, 2)];
    expect(first.map(({ url, body }) => [url, Buffer.from(body).toString('base64')])).toEqual(again.map(({ url, body }) => [url, Buffer.from(body).toString('base64')]));
    expect(Buffer.from(first[0]!.body).equals(other[0]!.body)).toBe(false);
  });

  it.each([
    ['more in view than the view holds', { inView: 60 }],
    ['more servers than images', { inView: 1, offScreen: 1, sdBytes: 0, servers: 3 }],
  ])('refuses %s', async (_, change) => {
    await expect(page(change)).rejects.toThrow(RangeError);
  });
});
