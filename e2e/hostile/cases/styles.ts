import { expect } from 'vitest';
import { type HostileCase, notesAndImages, rows, timesAsked, toldBy } from '../case.ts';
import type { HostKind } from '../place.ts';
import { LOADED, file, page, scripted } from '../page.ts';
import type { Tab, VisitTools } from '../tab.ts';

const FAR = '<div style="height:3000px"></div>';
const BOX = '.box{width:60px;height:40px}';

interface StyleCase extends Pick<HostileCase, 'name' | 'title' | 'site'> {
  /** Pictures that are asked for once, by name and host. */
  readonly once: Readonly<Partial<Record<HostKind, readonly string[]>>>;
  readonly never?: readonly string[];
  /** What the visitor does when the page's script is done. */
  readonly then?: (tab: Tab) => Promise<void>;
}

/** Nobody tells a page when the pictures of its styles are there: the visit waits until they are asked for. */
function styleCase({ name, title, site, once, never = [], then }: StyleCase): HostileCase {
  const wanted = Object.entries(once).flatMap(([kind, names]) => names.map((picture) => [`/${picture}.png`, kind as HostKind] as const));
  return {
    name, title, site,
    visit: async (tab: Tab, { url, asked }: VisitTools) => {
      const told = await toldBy(tab, url('/'));
      await then?.(tab);
      for (const [path] of wanted) await asked(path);
      return told;
    },
    expects: (seen) => {
      for (const [path, kind] of wanted) expect(timesAsked(seen, path, kind), path).toBe(1);
      for (const picture of never) expect(timesAsked(seen, `/${picture}.png`), picture).toBe(0);
    },
    // which of them have come when the page is asked depends on the machine
    compared: notesAndImages,
  };
}

/** Pictures that style sheets name. */
export const STYLE_CASES = rows([
  styleCase({
    name: 'styles', title: 'Pictures of styles: attributes, pseudo-elements, layers, custom properties, media, what is not displayed, and one that an element shares',
    site: {
      '/': page({
        head: `<style>${BOX}.one{background:url(a.png),url(b.png) 30px 0 no-repeat}.two::before{content:'';display:block;width:20px;height:20px;background:url(c.png)}
          ul{list-style-image:url(d.png)}.three{border:8px solid;border-image:url(e.png) 3}.four{--picture:url(f.png);background:var(--picture)}.five::after{content:url(g.png)}
          .hidden{background:url(hidden.png)}.shared{background:url(shared.png)}@media print{.one{background:url(print.png)}}@media (min-width:100px){.six::before{content:url(wide.png)}}</style>`,
        body: `<div class="box one"></div><div class="box two"></div><ul><li>item</ul><div class="box three"></div><div class="box four"></div><span class=five></span><p class=six>x</p><div style="display:none"><p class=hidden>x</p></div>
          <img id=shared src=shared.png><div class="box shared"></div><div style="width:50px;height:50px;background:url(near.png)"></div>${FAR}<p style="background-image:url('far.png')">far</p>`,
      }),
    },
    once: { own: ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'wide', 'shared', 'near', 'far'] },
    never: ['hidden', 'print'],
  }),
  styleCase({
    name: 'style-sheets', title: 'Pictures of sheets: imported, of another origin, stored or not, imported from there, of a document of XML',
    site: {
      '/': page({
        head: '<link rel=stylesheet href=own.css><link id=kept rel=stylesheet href="{other}/kept.css"><link id=not-kept rel=stylesheet href="{other}/not-kept.css"><style>@import "{other}/imported.css";</style>',
        body: `${['a', 'b', 'c', 'd', 'e'].map((name) => `<div class="box ${name}"></div>`).join('')}<iframe src=page.xml></iframe>`,
      }),
      '/own.css': file('text/css', `@import "deep.css"; ${BOX} .a{background:url(a.png)}`),
      '/deep.css': file('text/css', '.b{background:url(b.png)}'),
      'other/kept.css': file('text/css', '.c{background:url(c.png)}', { 'cache-control': 'max-age=60' }),
      'other/not-kept.css': file('text/css', '.d{background:url(d.png)}'),
      'other/imported.css': file('text/css', '.e{background:url(e.png)}', { 'cache-control': 'max-age=60' }),
      '/page.xml': { headers: { 'content-type': 'text/xml', 'cache-control': 'no-store' }, body: '<?xml version="1.0"?><?xml-stylesheet type="text/css" href="xml.css"?><page>text</page>' },
      '/xml.css': file('text/css', 'page{display:block;width:90px;height:90px;background:url(xml.png)}'),
    },
    once: { own: ['a', 'b', 'xml'], other: ['c', 'd', 'e'] },
  }),
  styleCase({
    name: 'styles-later', title: 'Pictures of styles that change: a class after the load, hover, sheets made by script, shadow trees',
    site: {
      '/': scripted(`
        const made = new CSSStyleSheet(); made.replaceSync('.made{background:url(' + new URL('made.png', location) + ')}'); document.adoptedStyleSheets = [made];
        customElements.define('x-a', class extends HTMLElement { constructor() { super(); this.attachShadow({ mode: 'closed' }).innerHTML = '<style>p{background:url(in-shadow.png)}</style><p>text</p><img src=image-in-shadow.png>'; } });
        ${LOADED} const style = document.createElement('style'); style.textContent = '.added{background:url(added.png)}'; document.head.append(style);
        for (const box of document.querySelectorAll('.changes')) box.classList.add('on');`,
      {
        head: `<style>${BOX}#d.on{background:url(on.png)}#e.on{background:url(also-on.png)}#h:hover{background:url(hovered.png)}</style>`,
        body: '<div id=h class=box>h</div><div id=d class="box changes"></div><div id=e class="box changes"></div><div class="box made"></div><div class="box added"></div><x-a></x-a><div><template shadowrootmode=open><img src=declared.png></template></div>',
      }),
    },
    then: (tab) => tab.click('#h'),
    once: { own: ['on', 'also-on', 'hovered', 'made', 'added', 'in-shadow', 'image-in-shadow', 'declared'] },
  }),
]);
