import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bench, html } from './harness.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.close());

const FAR = '<div style="height:3000px"></div>';
const BOX = 'div.box{width:60px;height:40px}';
const css = (body: string): { type: string; body: string } => ({ type: 'text/css', body });

describe('images of styles', () => {
  it('inline style', () => bench.expectSame({ '/': html(`<div style="width:50px;height:50px;background:url(a.png)"></div>${FAR}<p style="background-image:url('b.png')">far</p>`) }));

  it('style element, pseudo-elements, lists, borders, several layers, custom properties', () =>
    bench.expectSame({
      '/': html(
        '<div class="box one"></div><div class="box two"></div><ul><li>item</ul><div class="box three"></div><div class="box four"></div><span class=five></span>',
        `<style>${BOX}.one{background:url(a.png),url(b.png) 30px 0 no-repeat}.two::before{content:'';display:block;width:20px;height:20px;background:url(c.png)}
        ul{list-style-image:url(d.png)}.three{border:8px solid;border-image:url(e.png) 3}.four{--picture:url(f.png);background:var(--picture)}.five::after{content:url(g.png)}</style>`,
      ),
    }));

  it('sheet of the same origin, with an import', () =>
    bench.expectSame({
      '/': html('<div class="box a"></div><div class="box b"></div>', '<link rel=stylesheet href=s.css>'),
      '/s.css': css(`@import "t.css"; ${BOX} .a{background:url(a.png)}`),
      '/t.css': css('.b{background:url(b.png)}'),
    }, { namedBySheets: true }));

  it('sheet of another origin that may be cached', () =>
    bench.expectSame({ '/': html('<div class="box a"></div>', '<link id=l rel=stylesheet href="OTHER/s.css?maxage">'), '/s.css': css(`${BOX} .a{background:url(a.png)}`) }, { namedBySheets: true }));

  it('sheet of another origin that may not be stored', () =>
    bench.expectSame({ '/': html('<div class="box a"></div><p>text</p>', '<link id=l rel=stylesheet href="OTHER/s.css?nostore">'), '/s.css': css(`${BOX} .a{background:url(a.png)}`) }, { namedBySheets: true }));

  it('sheet of another origin, imported by one of our own', () =>
    bench.expectSame({ '/': html('<div class="box a"></div>', '<style>@import "OTHER/s.css?maxage";</style>'), '/s.css': css(`${BOX} .a{background:url(a.png)}`) }, { namedBySheets: true }));

  it('a class that changes after load', () =>
    bench.expectSame(
      { '/': html('<div id=d class=box></div><div id=e class=box></div>', `<style>${BOX}#d.on{background:url(a.png)}#e.on{background:url("b.png?nostore")}</style>`) },
      { drive: async (page) => {
        await page.waitForLoadState('load');
        await page.evaluate(() => document.querySelectorAll('.box').forEach((box) => box.classList.add('on')));
      } },
    ));

  it('hover', () =>
    bench.expectSame(
      { '/': html('<div id=d class=box>x</div>', `<style>${BOX}#d{background:url(a.png)}#d:hover{background:url(b.png)}</style>`) },
      { drive: async (page) => {
        await page.waitForLoadState('load');
        await page.hover('#d');
      } },
    ));

  it('a picture that an element and a style share', () =>
    bench.expectSame({ '/': html('<img id=i src=a.png><div class="box a"></div>', `<style>${BOX}.a{background:url(a.png)}</style>`) }));

  it('sheets made by scripts', () =>
    bench.expectSame({
      '/': html(`<div class="box a"></div><div class="box b"></div><script>
        const sheet = new CSSStyleSheet(); sheet.replaceSync('${BOX} .a{background:url(' + new URL('a.png', location) + ')}'); document.adoptedStyleSheets = [sheet];
        setTimeout(() => { const style = document.createElement('style'); style.textContent = '.b{background:url(b.png)}'; document.head.append(style); }, 500);
      </script>`),
    }));

  it('an undisplayed element fetches nothing', async () => {
    const { firstscreen } = await bench.expectSame({ '/': html('<div style="display:none"><p class=a>x</p></div><p class=b>x</p>', '<style>.a{background:url(a.png)}.b{background:url(b.png)}</style>') });
    expect(firstscreen.requests).not.toHaveProperty(['own.test/a.png']);
  });

  it('images and styles in shadow trees', () =>
    bench.expectSame({
      '/': html(`<x-a></x-a><div id=declared><template shadowrootmode=open><img src=d.png></template></div><script>
        customElements.define('x-a', class extends HTMLElement {
          constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<style>p{background:url(a.png)}</style><p>text</p><img src=b.png>'; }
        });
      </script>`),
    }));
});
