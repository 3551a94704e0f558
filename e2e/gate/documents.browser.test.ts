import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { INITIAL_LINK, bdpBytes, type LinkEstimate } from '../../shared/src/estimation/link.ts';
import { INSTALLATIONS } from './browsers.ts';
import { Bench, html } from './harness.ts';
import type { Site } from './server.ts';

describe.each(INSTALLATIONS)('%s', (installation) => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.start(installation);
  });
  afterAll(() => bench.close());

  const FAR = '<div style="height:3000px"></div>';

  describe('documents and their life', () => {
    it('frames: same origin, other origin, srcdoc, about:blank', () =>
      bench.expectSame({
        '/': html(`<iframe src=f.html></iframe><iframe src=OTHER/g.html></iframe><iframe srcdoc="<img src=c.png><p style='background:url(d.png)'>x</p>"></iframe><iframe id=blank></iframe>
          <script>const d = blank.contentDocument; d.body.append(Object.assign(d.createElement('img'), { src: new URL('e.png', location).href }))</script>`),
        '/f.html': html('<img id=a src=a.png>'),
        '/g.html': html('<img id=b src=b.png>'),
      }));

    it('a policy that forbids images of other origins', () =>
      bench.expectSame({ '/': { ...html(`<img id=a src=a.png><img id=b src=OTHER/b.png>${FAR}<img id=c src=OTHER/c.png>`), headers: { 'content-security-policy': "img-src 'self'" } } }));

    it('a sandboxed document', () =>
      bench.expectSame({ '/': { ...html('<img id=a src=a.png><img id=b src=OTHER/b.png>'), headers: { 'content-security-policy': 'sandbox allow-scripts' } } }));

    it('icons', () => bench.expectSame({ '/': html('<img id=a src=a.png>', '<link rel=icon href=icon.png>') }));

    // dimensions, because a reload restores the scroll position by what is in view before or after the image has come
    it('reload', () => bench.expectSame({ '/': html(`<img id=a src=a.png width=20 height=20>${FAR}<img id=b src=b.png>`) }, { drive: async (page) => {
      await page.waitForLoadState('networkidle');
      await page.reload();
    } }));

    it('soft navigation', () => bench.expectSame({ '/': html('<main><img id=a src=a.png></main>') }, { drive: async (page) => {
      await page.waitForLoadState('networkidle');
      await page.evaluate(`history.pushState({}, '', '?next'); document.querySelector('main').innerHTML = '<img id=b src=b.png><img id=c src=c.png>'`);
    } }));

    it('back to a page', () => bench.expectSame({ '/': html('<img id=a src=a.png>'), '/next': html('<img id=b src=b.png>') }, { drive: async (page, visit) => {
      await page.waitForLoadState('networkidle');
      await page.goto(visit.url('/next'), { waitUntil: 'networkidle' });
      await page.goBack({ waitUntil: 'commit' });
    } }));

    it('the load event comes once, after all images', async () => {
      const page = { ...html(`<img src="a.png?delay=500"><div style="width:9px;height:9px;background:url(b.png?delay=300)"></div>${FAR}<img src="c.png?delay=200">
        <script>addEventListener('load', () => { document.title = [...document.images].map((i) => i.naturalWidth).join(); document.body.prepend(document.title); })</script>`) };
      await bench.expectSame({ '/': page });
    });
  });

  const FAR_RTT_MS = 5_000;
  /**
   * As much on the way as on the link that tests assume, over round trips so long that no pause of a busy machine makes
   * what the server has not answered count as hung (four of them), which would let images of unknown place go.
   */
  const FAR_LINK: LinkEstimate = { rateBitsPerSecond: (8 * bdpBytes(INITIAL_LINK)) / (FAR_RTT_MS / 1000), rttMs: FAR_RTT_MS, connectMs: FAR_RTT_MS };
  const RERANK_MS = 1_000;
  const LAST = 5;
  /** What lazy loaders show at first. */
  const PLACEHOLDER = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
  /** More than the browser has connections to a server, and so few that they are all held when the layout is told. */
  const COUNT = 60;
  /** Of an image, after all were held: an answer at once would tell of a link over which no order matters. */
  const ANSWER_MS = 100;
  const IMAGE_PX = 300;
  /** To n45: far behind what is on the way by then. */
  const SCROLL_PX = 45 * IMAGE_PX;

  /** Opens a page whose images are not answered, in a browser of its own. @param names of these images, with what tells them apart */
  async function open(site: Site, names: RegExp) {
    const visit = bench.server.visit(site);
    visit.hold(names);
    const browser = await bench.openFirstscreen(null, FAR_LINK);
    onTestFinished(() => browser.close());
    const page = await browser.context.newPage();
    await page.goto(visit.url('/?delay=400'), { waitUntil: 'commit' });
    /** In the order in which they were asked for. */
    const asked = (): string[] => visit.requests.flatMap(({ name }) => names.exec(name)?.[1] ?? []);
    return { visit, page, asked };
  }

  if (installation === 'managed') describe('order on a server that answers nothing yet', () => {
    it('in view first, then by distance; after a scroll what came into view', async () => {
      const { visit, page, asked } = await open({ '/': html(Array.from({ length: COUNT }, (_, i) => `<p style="margin:0"><img src="n${i}.png?delay=${ANSWER_MS}" width=780 height=${IMAGE_PX}></p>`).join('')) }, /(n\d+)\.png/);
      // more than what is in view only where the gate was asked before it knew the places
      await expect.poll(() => asked().length).toBeGreaterThanOrEqual(2);
      await page.evaluate(`scrollTo(0, ${SCROLL_PX})`);
      await expect.poll(async () => page.evaluate('scrollY')).toBe(SCROLL_PX);
      // a frame, a report and a plan: the server must not be faster than they
      await page.waitForTimeout(RERANK_MS);
      visit.letGo();
      await expect.poll(() => asked().length).toBe(COUNT);
      // of those on the way, in any order: six on the connections and two that wait for one
      for (const inView of [0, 1]) expect(asked().indexOf(`n${inView}`), `n${inView} with the first`).toBeLessThan(8);
      for (const far of [38, 52, 59]) expect(asked().indexOf(`n${SCROLL_PX / IMAGE_PX}`), `before n${far}`).toBeLessThan(asked().indexOf(`n${far}`));
    });

    it('so in a sandboxed document, too', async () => {
      const far = Array.from({ length: COUNT }, (_, i) => `<img src="n${i}.png?delay=${ANSWER_MS}" width=50 height=50>`).join('');
      const { visit, page, asked } = await open({ '/': { ...html(`<div style="position:absolute;top:3000px">${far}</div><img src="near.png?delay=${ANSWER_MS}" width=50 height=50>`), headers: { 'content-security-policy': 'sandbox allow-scripts' } } }, /(n\d+|near)\.png/);
      await expect.poll(() => asked().length).toBeGreaterThanOrEqual(1);
      await page.waitForTimeout(RERANK_MS);
      visit.letGo();
      await expect.poll(() => asked().length).toBe(COUNT + 1);
      // of those on the way, in any order: six on the connections and two that wait for one
      expect(asked().indexOf('near')).toBeLessThan(8);
    });

    it('what is hidden or clipped in view goes before what a scroll would show, and what is hidden elsewhere after it', async () => {
      const hidden = (name: string): string => `<ul style="display:none"><li><img src="${name}.png?delay=${ANSWER_MS}"></ul>`;
      const shown = Array.from({ length: COUNT }, (_, i) => `<p style="margin:0"><img src="n${i}.png?delay=${ANSWER_MS}" width=780 height=${IMAGE_PX}></p>`).join('');
      const slide = (name: string, left: number): string => `<img src="${name}.png?delay=${ANSWER_MS}" style="position:absolute;left:${left}px" width=50 height=50>`;
      const slides = `<div style="position:absolute;top:60px;left:9px;width:50px;height:50px;overflow:hidden">${slide('clipped', 50)}${slide('seen', 0)}</div>`;
      const { visit, page, asked } = await open({ '/': html(`<h1>News</h1>${shown}<div style="position:absolute;top:60px">${hidden('slide')}</div><p>${hidden('foot')}</p>${slides}`) }, /(n\d+|slide|foot|clipped|seen)\.png/);
      await expect.poll(() => asked().length).toBeGreaterThanOrEqual(2);
      await page.waitForTimeout(RERANK_MS);
      visit.letGo();
      await expect.poll(() => asked().length).toBe(COUNT + 4);
      expect(asked().indexOf('seen')).toBeLessThan(asked().indexOf('clipped'));
      expect(asked().indexOf('clipped')).toBeLessThan(asked().indexOf('n20'));
      expect(asked().indexOf('slide')).toBeLessThan(asked().indexOf('n20'));
      expect(asked().indexOf('foot')).toBeGreaterThan(asked().indexOf('n40'));
    });

    it.each(['elements name in their own style', 'style rules draw with'])('what %s goes by their places, also before the document is parsed', async (by) => {
      const places = Array.from({ length: COUNT }, (_, i) => i);
      const picture = (i: number): string => `background:url('n${i}.png?delay=${ANSWER_MS}')`;
      const isOwn = by.includes('own');
      const cards = places.map((i) => `<div id=c${i} style="position:absolute;top:${(COUNT - 1 - i) * IMAGE_PX}px;width:780px;height:${IMAGE_PX}px;${isOwn ? picture(i) : ''}"></div>`).join('');
      // in view and on its way all the time: a look may end while the sheet's images are still being asked for, one by one,
      // and without it three times as many would go of those that it has seen to be elsewhere before the last are there
      const first = `<img src="first.png?delay=${20 * RERANK_MS}" width=9 height=9>`;
      const { visit, page, asked } = await open({ '/': html(`${first}${cards}<script src="late.js?delay=${20 * RERANK_MS}"></script>`), '/late.js': { type: 'text/javascript', body: '1' } }, /(n\d+)\.png/);
      if (!isOwn) {
        await page.locator('#c0').waitFor();
        // the sheet comes after the layout: before it nobody can tell its images from those that the parser has not come to
        await page.waitForTimeout(2 * RERANK_MS);
        await page.addStyleTag({ content: places.map((i) => `#c${i}{${picture(i)}}`).join('') });
      }
      await expect.poll(() => asked().length).toBeGreaterThanOrEqual(2);
      await page.waitForTimeout(RERANK_MS);
      visit.letGo();
      await expect.poll(asked).toEqual(expect.arrayContaining([`n${COUNT - 1}`, `n${COUNT - 2}`]));
      for (const inView of [COUNT - 1, COUNT - 2]) expect(asked().indexOf(`n${inView}`), asked().join(' ')).toBeLessThan(COUNT / 2);
      expect(await page.evaluate('document.readyState')).toBe('loading');
    });

    it('what elements come to show later goes by the places of these', async () => {
      const between = Array.from({ length: COUNT }, (_, i) => `<p style="margin:0"><img src="n${i}.png?delay=${ANSWER_MS}" width=780 height=${IMAGE_PX}></p>`).join('');
      const waiting = `<img class=later src="${PLACEHOLDER}" width=50 height=50><picture><source srcset="placeholder2.png?delay=${ANSWER_MS}"><img src="never.png" width=50 height=50></picture>`;
      const { visit, page, asked } = await open({
        '/': html(`${waiting}<div style="height:3000px"></div>${between}${waiting.repeat(LAST)}`),
      }, /(n\d+|near[ab]|last\d[ab])\.png/);
      await expect.poll(() => asked().length).toBeGreaterThanOrEqual(2);
      await page.waitForTimeout(RERANK_MS);
      await page.evaluate(`{
        document.querySelectorAll('.later').forEach((image, i) => (image[i % 2 ? 'src' : 'srcset'] = (i === 0 ? 'near' : 'last' + i) + 'a.png?delay=${ANSWER_MS}'));
        document.querySelectorAll('source').forEach((source, i) => (source.srcset = (i === 0 ? 'near' : 'last' + i) + 'b.png?delay=${ANSWER_MS}'));
      }`);
      await page.waitForTimeout(RERANK_MS);
      visit.letGo();
      await expect.poll(() => asked().length).toBe(COUNT + 2 + 2 * LAST);
      const before = asked().slice(0, COUNT / 2);
      expect(before).toEqual(expect.arrayContaining(['neara', 'nearb']));
      // the gate lets images of unknown place go while the link has room; those that it held come in the order of places
      const held = asked().slice(COUNT).filter((name) => name.startsWith('last'));
      for (const name of held) expect(asked().indexOf(name), asked().join(' ')).toBeGreaterThan(asked().indexOf(`n${COUNT - 1}`));
    });
  });
});
