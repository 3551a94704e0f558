import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bench, html } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.close());

const FAR = '<div style="height:3000px"></div>';

const GIVEN_UP_MS = 1_000;

describe('images of elements, as the page sees them', () => {
  it('parsed images with and without dimensions', () =>
    bench.expectSame({ '/': html(`<img id=a src=a.png width=30 height=30><img id=b src=b.png><p>text</p><img id=c src=OTHER/c.png>${FAR}<img id=d src=d.png><img id=e src=e.png width=10 height=10>`) }));

  it('srcset and sizes', () =>
    bench.expectSame({ '/': html(`<img id=a srcset="a1.png 1x, a2.png 2x"><img id=b srcset="b1.png 100w, b2.png 2000w" sizes="50vw" src=b0.png>${FAR}<img id=c srcset="c1.png 1x">`) }));

  it('picture', () =>
    bench.expectSame({
      '/': html(`<picture><source media="(min-width:9000px)" srcset="wide.png"><source srcset="s.png"><img id=a src=fallback.png></picture>
        <picture><source type="image/never" srcset="never.png"><img id=b src=b.png></picture>`),
    }));

  // stock Chromium itself fires `load` once or twice, as the alternative text was shown before or not
  it('input type=image', async () => {
    const site = { '/': html(`<form><input id=a type=image src=a.png></form>${FAR}<input id=b type=image src=b.png width=9>`) };
    const [stock, firstscreen] = await Promise.all([bench.observe(bench.stock, site), bench.observe(bench.firstscreen, site)]);
    expect(firstscreen.requests).toEqual(stock.requests);
    expect(firstscreen.picture.equals(stock.picture), 'the same picture').toBe(true);
    for (const button of ['a', 'b']) expect(['load', 'load,load']).toContain(firstscreen.frames[0]?.events[button]?.join());
  });

  it('SVG image in an HTML document', () =>
    bench.expectSame({
      '/': html(`<svg width=100 height=50><image id=a href=a.png width=40 height=40 /><image id=b xlink:href=b.png x=50 width=40 height=40 /></svg>${FAR}<svg><image id=c href=c.png /></svg>`),
    }));

  it('poster of a video', () => bench.expectSame({ '/': html(`<video id=a poster=a.png width=100 height=50></video>${FAR}<video poster=b.png></video>`) }));

  it('images that scripts make without a place in the document', async () => {
    const { firstscreen } = await bench.expectSame({
      '/': html(`<div id=out></div><script>
        const log = [];
        const report = (text) => { log.push(text); out.textContent = [...log].sort().join(' '); };
        const image = new Image();
        report('complete-at-start:' + image.complete);
        image.onload = () => report('load:' + image.naturalWidth + ':' + image.complete);
        image.onerror = () => report('error');
        image.src = 'a.png?w=11';
        report('complete-after-src:' + image.complete);
        const decoded = document.createElement('img');
        decoded.src = 'b.png?w=12';
        decoded.decode().then(() => report('decoded:' + decoded.naturalWidth), (e) => report('undecoded:' + e));
        const late = new Image();
        late.addEventListener('load', () => { report('late'); document.body.append(late); });
        late.addEventListener('error', () => report('late-error'));
        late.setAttribute('src', 'c.png?w=13');
        const set = new Image();
        set.onload = () => report('srcset:' + set.currentSrc.split('/').pop());
        set.onerror = () => report('srcset-error');
        set.srcset = 'd.png 1x';
        const missing = new Image();
        missing.onload = () => report('missing-load');
        missing.onerror = () => report('missing-error');
        missing.src = 'missing.gif';
      </script>`),
    });
    expect(firstscreen.frames[0]?.images).toHaveProperty('0');
  });

  it('innerHTML into detached and attached elements', () =>
    bench.expectSame({
      '/': html(`<div id=at></div><script>
        at.innerHTML = '<img id=a src=a.png>';
        const off = document.createElement('div');
        off.innerHTML = '<p><img id=b src=b.png onerror="window.failed = true"></p>';
        at.insertAdjacentHTML('beforeend', '<img id=c src=c.png>');
        setTimeout(() => at.append(off), 300);
        const never = document.createElement('div');
        never.innerHTML = '<img src=never.png>';
        const template = document.createElement('template');
        template.innerHTML = '<img id=d src=d.png>';
        at.append(template.content.cloneNode(true));
      </script>`),
    }));

  it('images that are added after load', () =>
    bench.expectSame({
      '/': html(`<img id=a src=a.png><script>addEventListener('load', () => setTimeout(() => {
        for (const id of ['b', 'c', 'd']) { const i = document.createElement('img'); i.id = id; i.src = id + '.png'; document.body.append(i); }
        const e = document.createElement('img'); e.id = 'e'; document.body.append(e); e.src = 'e.png';
      }, 200))</script>`),
    }));

  it('an image whose URL is changed while the first one is on the way', () =>
    bench.expectSame({ '/': html('<img id=a src=a1.png><img id=b src=b1.png>') }, {
      prepare: (visit) => visit.hold(/[ab]1\.png/),
      drive: async (page, visit) => {
        await expect.poll(() => visit.requests.filter(({ name }) => name.includes('1.png')).length).toBe(2);
        await page.evaluate("a.src = 'a2.png'; b.src = 'b2.png'");
        visit.letGo();
      },
    }));

  it('an image whose URL is changed while the first one is held', () => {
    const images = Array.from({ length: 20 }, (_, i) => `<p><img id=i${i} src="n${i}.png" width=700 height=250></p>`).join('');
    return bench.expectSame({ '/': html(images) }, {
      prepare: (visit) => visit.hold(/\/n\d+\.png/),
      drive: async (page, visit) => {
        await page.waitForLoadState('domcontentloaded');
        // all connections to the host are in use
        await expect.poll(() => visit.openCount).toBeGreaterThanOrEqual(6);
        await page.evaluate("globalThis.late = new Image(); late.id = 'late'; late.src = 'old.png'; document.body.append(late); undefined");
        await page.waitForTimeout(GIVEN_UP_MS);
        expect(visit.requests.some(({ name }) => name.includes('old'))).toBe(false);
        await page.evaluate("late.src = 'new.png'");
        // the browser gives the first one up in another process than the one that has asked for it
        await page.waitForTimeout(GIVEN_UP_MS);
        visit.letGo();
      },
    });
  });

  it('crossorigin and referrerpolicy', () =>
    bench.expectSame({ '/': html('<img id=a crossorigin=anonymous src="OTHER/a.png?cors"><img id=b crossorigin src="OTHER/b.png"><img id=c referrerpolicy=no-referrer src=c.png><img id=d referrerpolicy=origin src=OTHER/d.png>') }));

  it('loading=lazy: far images are not fetched before they come near', async () => {
    const far = '<div style="height:20000px"></div>';
    const { firstscreen } = await bench.expectSame({ '/': html(`<img id=a loading=lazy src=a.png width=10 height=10>${far}<img id=b loading=lazy src=b.png width=10 height=10>`) });
    expect(Object.keys(firstscreen.requests)).toEqual(['own.test/', 'own.test/a.png']);
  });

  it('what stock does not fetch is not fetched: templates, sanitizers, lazy images that scripts make', async () => {
    const { firstscreen } = await bench.expectSame({
      '/': html(`<img id=a src=a.png width=10 height=10><div style="height:20000px"></div><div id=end></div><script>
        document.createElement('template').innerHTML = '<img src=template.png>';
        document.implementation.createHTMLDocument().body.innerHTML = '<img src=' + new URL('sanitizer.png', location) + '>';
        new DOMParser().parseFromString('<img src=' + new URL('parser.png', location) + '>', 'text/html');
        const lazy = document.createElement('img');
        lazy.loading = 'lazy';
        lazy.src = 'lazy.png';
        end.append(lazy);
      </script>`),
    });
    expect(Object.keys(firstscreen.requests)).toEqual(['own.test/', 'own.test/a.png']);
  });

  it('missing images: one error each', async () => {
    const { firstscreen } = await bench.expectSame({ '/': html(`<img id=a src=a.gif><img id=b src="b.png?status=404"><img id=c src=OTHER/c.gif alt=no><input id=d type=image src=d.gif>${FAR}<img id=e src=e.gif>`) });
    expect(firstscreen.frames[0]?.events).toMatchObject({ a: ['error'], c: ['error'], d: ['error'], e: ['error'] });
  });

  it('data:, blob: and empty URLs', () =>
    bench.expectSame({
      '/': html(`<img id=a src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"><img id=b><img id=c src=""><img id=d src="data:image/png,junk">
        <script>fetch('x.png').then((r) => r.blob()).then((blob) => { b.src = URL.createObjectURL(blob); })</script>`),
    }));

  it('a URL with a fragment of its own', () =>
    bench.expectSame({
      '/': html('<img id=a src="sprite.svg#one"><img id=b src="sprite.svg#two"><img id=c src="c.png#top">'),
      '/sprite.svg': { type: 'image/svg+xml', body: '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="red"/></svg>' },
    }));

  it('redirected images', () => bench.expectSame({ '/': html(`<img id=a src="a.png?to=/b.png"><img id=b src="c.png?to=/gone.gif"><img id=d src="OTHER/d.png?to=/e.png">${FAR}<img id=f src="f.png?to=/g.png">`) }));

  it('one URL many times', () =>
    bench.expectSame({
      '/': html(`${'<img src=a.png width=8 height=8>'.repeat(60)}<div style="width:20px;height:20px;background:url(a.png)"></div>${FAR}${'<img src=a.png>'.repeat(5)}<script>const i = new Image(); i.id = 'n'; i.src = 'a.png'; document.body.append(i)</script>`),
    }));

  it('hundreds of images', () =>
    bench.expectSame({ '/': html(Array.from({ length: 300 }, (_, i) => `<img id=i${i} src="${i % 3 === 0 ? 'OTHER/' : ''}n${i}.png" width=40 height=40>`).join('')) }));

  it('document.write', () => bench.expectSame({ '/': html(`<script>document.write('<img id=a src=a.png><img id=b src=b.png width=5 height=5>')</script><img id=c src=c.png>`) }));

  it('preloaded image', () =>
    bench.expectSame({ '/': html('<img id=a src=a.png>', '<link id=p rel=preload as=image href=a.png><link id=q rel=preload as=image href=b.png>') }));

  it('images behind a blocking script', () =>
    bench.expectSame({ '/': html(`<img id=a src=a.png><script src="slow.js?delay=700"></script><img id=b src=b.png><img id=c src=b.png>${FAR}<img id=d src=d.png>`), '/slow.js': { type: 'text/javascript', body: '1' } }));

  it('print and other media', () =>
    bench.expectSame({ '/': html('<div class=x></div>', `<style>.x{width:30px;height:30px} @media screen {.x{background:url(screen.png)}} @media print {.x{background:url(print.png)}} @media (min-width:100px){.x::before{content:url(wide.png)}}</style>`) }));

  it('a canvas stays clean after an image of the same origin, and is tainted by another', () =>
    bench.expectSame({
      '/': html(`<div id=out></div><script>
        const lines = [];
        for (const [src, mode] of [['a.png', null], ['OTHER/b.png', null], ['OTHER/c.png?cors', 'anonymous']]) {
          const image = new Image(); image.crossOrigin = mode;
          image.onload = () => {
            const canvas = document.createElement('canvas'); const c = canvas.getContext('2d'); c.drawImage(image, 0, 0);
            let text; try { text = c.getImageData(0, 0, 1, 1).data.join(); } catch (e) { text = e.name; }
            lines.push(image.src.split('/').pop() + ' ' + text); out.textContent = lines.sort().join(' ');
          };
          image.src = src;
        }
      </script><img id=d src=OTHER/d.png onload="const k=document.createElement('canvas');const x=k.getContext('2d');x.drawImage(this,0,0);try{x.getImageData(0,0,1,1);this.title='clean'}catch(e){this.title=e.name};document.title=this.title;document.body.append(this.title)">`),
    }));
});
