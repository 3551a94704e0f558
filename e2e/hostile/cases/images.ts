import { expect } from 'vitest';
import { notesAndImages, rows, timesAsked, toldBy } from '../case.ts';
import { LOADED, file, page, scripted } from '../page.ts';

/** Far below the first screen. */
const FAR = '<div style="height:6000px"></div>';
/** Of 3,000: more than 1 MiB of URLs, the limit of a native message. The others are lazy: which of them are near depends on the browser alone. */
const EAGER_COUNT = 200;
const EAGER = /p\.png\?1?\d{1,2}x/;

/** How a page may name pictures, and what its script sees of them. */
export const IMAGE_CASES = rows([
  {
    name: 'images', title: 'Pictures in view, far away, hidden, twice, and missing',
    site: {
      '/': page({ body: `<img id=a src=a.png><img id=b src=b.png width=10 height=10><img id=again src=a.png><img id=hidden src=hidden.png style="display:none"><img id=gone src=gone.gif>${'<img src=a.png width=8 height=8>'.repeat(60)}${FAR}<img id=far src=far.png>` }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<a>': ['load'], '<gone>': ['error'], '<far>': ['load'], document: ['parsed', 'loaded'] }, images: { far: '20x20 in 20x20 complete own/far.png' } });
      for (const path of ['/a.png', '/b.png', '/hidden.png', '/gone.gif', '/far.png']) expect(timesAsked(seen, path), path).toBe(1);
    },
  },
  {
    name: 'lazy', title: 'Lazy pictures: asked for when they come near, not before',
    site: {
      '/': scripted(`
        const made = new Image(); made.loading = 'lazy'; made.id = 'made'; made.src = 'made.png';
        ${LOADED}
        note('far', far.complete); const came = new Promise((resolve) => made.addEventListener('load', resolve)); document.body.prepend(made); await came; note('made', made.naturalWidth);
        scrollTo(0, 1e6); await new Promise((resolve) => far.addEventListener('load', resolve)); note('far', far.naturalWidth);`,
      { body: `<img id=near src=near.png loading=lazy width=20 height=20>${FAR}${FAR}<img id=far src=far.png loading=lazy width=20 height=20>` }),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { far: [false, 20], made: [20], '<near>': ['load'] } }),
  },
  {
    name: 'lazy-never', title: 'Lazy pictures that never come near, in the page and out of it, are never asked for',
    site: {
      '/': scripted(`const made = new Image(); made.loading = 'lazy'; made.src = 'never-made.png'; window.kept = made;
        const set = document.createElement('img'); set.setAttribute('src', 'never-set.png'); set.setAttribute('loading', 'lazy'); window.keptToo = set; ${LOADED}`,
      { body: `${FAR}${FAR}<img src=never.png loading=lazy width=20 height=20>` }),
    },
    expects: (seen) => {
      expect(timesAsked(seen, '/never.png')).toBe(0);
      expect(timesAsked(seen, '/never-made.png')).toBe(0);
    },
  },
  {
    name: 'script-images', title: 'Pictures made by script: order of onload and onerror, decode(), complete, sizes',
    site: {
      '/': scripted(`
        const one = new Image(); const order = [];
        one.onload = () => note('one', 'load ' + one.complete + ' ' + one.naturalWidth); one.onerror = () => note('one', 'error');
        note('one', 'before ' + one.complete); one.src = 'one.png'; note('one', 'asked ' + one.complete + ' ' + one.naturalWidth); await decoded(one); note('decoded', one.complete);
        const bad = new Image(); bad.onerror = () => note('bad', 'error ' + bad.complete); bad.src = 'bad.gif'; await bad.decode().catch(({ name }) => note('bad', name));
        const replaced = new Image(); replaced.onload = () => note('replaced', replaced.src.slice(-10)); replaced.src = 'first.png?delay=300'; replaced.src = 'second.png'; await decoded(replaced);
        const shown = document.createElement('img'); shown.id = 'shown'; shown.src = 'shown.png'; document.body.append(shown); await decoded(shown); note('shown', shown.width);
        const cors = new Image(); cors.crossOrigin = ''; cors.src = '{other}/cors.png?cors'; await decoded(cors);
        const canvas = document.createElement('canvas').getContext('2d'); canvas.drawImage(cors, 0, 0); note('canvas', canvas.getImageData(0, 0, 1, 1).data.length);`),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { one: ['before true', 'asked false 0', 'load true 20'], decoded: [true], shown: [20], replaced: ['second.png'], canvas: [4] } }),
    // a request that was given up may have left or not
    compared: ({ page: told, requests }) => ({ told: withoutFirst(told), requests: requests.filter((line) => !line.includes('/first.png')) }),
  },
  {
    name: 'picture-urls', title: 'Redirected pictures, to another host too, with a fragment, without a URL, broken and missing ones, with CORS and a referrer policy',
    site: {
      '/to.png': { status: 302, headers: { location: '/came.png', 'cache-control': 'no-store' } },
      '/to-lost.png': { status: 302, headers: { location: '/lost.gif', 'cache-control': 'no-store' } },
      '/to-far.png': { status: 302, headers: { location: '/far-came.png', 'cache-control': 'no-store' } },
      'other/across.png': { status: 302, headers: { location: '{own}/crossed.png', 'cache-control': 'no-store' } },
      '/sprite.svg': { headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=60' }, body: '<svg xmlns="http://www.w3.org/2000/svg" width="20" height="20"><rect width="20" height="20" fill="red"/></svg>' },
      '/absent.png': { status: 404 },
      '/': page({
        body: `<img id=to src=to.png><img id=lost src=to-lost.png><img id=across src="{other}/across.png"><img id=one src="sprite.svg#one"><img id=two src="sprite.svg#two"><img id=top src="c.png#top">
          <img id=none><img id=empty src=""><img id=junk src="data:image/png,junk"><img id=absent src=absent.png alt=no>
          <img id=cors crossorigin=anonymous src="{other}/cors.png?cors"><img id=refused crossorigin src="{other}/refused.png"><img id=silent referrerpolicy=no-referrer src=silent.png><img id=origin referrerpolicy=origin src="{other}/origin.png">${FAR}<img id=far-to src=to-far.png><img id=far-gone src=gone.gif>`,
      }),
    },
    expects: (seen) => {
      const whole = expect.stringContaining('20x20 in') as string;
      expect(seen.page).toMatchObject({ notes: { '<lost>': ['error'], '<absent>': ['error'], '<far-gone>': ['error'] }, images: { to: whole, across: whole, one: whole, two: whole, top: whole, 'far-to': whole } });
      for (const path of ['/came.png', '/lost.gif', '/far-came.png', '/crossed.png', '/absent.png', '/gone.gif', '/c.png']) expect(timesAsked(seen, path), path).toBe(1);
    },
    // Firefox asks again for what it has refused, or not
    compared: ({ page: told, requests }) => notesAndImages({ page: told, requests: requests.filter((line) => !line.includes('/refused.png')) }),
  },
  {
    name: 'placed-later', title: 'Pictures put in by innerHTML, detached and attached, once they are there, and after the load; a canvas that one of another origin taints',
    site: {
      '/': scripted(`
        const heard = (image) => new Promise((resolve) => image.addEventListener('load', resolve));
        at.innerHTML = '<img id=a src=a.png>'; at.insertAdjacentHTML('beforeend', '<img id=c src=c.png>');
        const off = document.createElement('div'); off.innerHTML = '<p><img id=b src=b.png></p>'; await heard(off.querySelector('img')); at.append(off);
        const late = new Image(); late.id = 'late'; late.src = 'late.png'; await heard(late); document.body.append(late);
        const set = new Image(); set.srcset = 'set.png 1x'; await decoded(set); note('set', set.currentSrc.split('/').pop());
        ${LOADED}
        for (const id of ['d', 'e']) { const image = document.createElement('img'); image.id = id; image.src = id + '.png'; const came = heard(image); document.body.append(image); await came; }
        const last = document.createElement('img'); last.id = 'last'; document.body.append(last); last.src = 'last.png'; await heard(last);
        const other = new Image(); other.src = '{other}/other.png'; await decoded(other);
        for (const image of [last, other]) { const canvas = document.createElement('canvas').getContext('2d'); canvas.drawImage(image, 0, 0); try { note('canvas', canvas.getImageData(0, 0, 1, 1).data.length); } catch ({ name }) { note('canvas', name); } }`,
      { body: '<div id=at></div>' }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<d>': ['load'], '<e>': ['load'], '<last>': ['load'], set: ['set.png'], canvas: [4, 'SecurityError'] }, images: { b: expect.stringContaining('20x20 in 20x20 complete') as string } });
      for (const path of ['/a.png', '/b.png', '/c.png', '/late.png', '/set.png', '/d.png', '/e.png', '/last.png']) expect(timesAsked(seen, path), path).toBe(1);
    },
  },
  {
    name: 'template', title: 'Pictures in <template>, in documents of createHTMLDocument and DOMParser (sanitizers) are not asked for until they are adopted',
    site: {
      '/': scripted(`
        const inert = document.implementation.createHTMLDocument(''); inert.body.innerHTML = '<img src="{own}/inert.png" onerror="note(1)">';
        new DOMParser().parseFromString('<img src="{own}/parsed.png">', 'text/html');
        const template = document.createElement('template'); template.innerHTML = '<img src="{own}/in-template.png">';
        ${LOADED}
        document.body.append(kept.content.cloneNode(true)); const image = document.querySelector('#adopted'); await decoded(image); note('adopted', image.naturalWidth);
        const range = document.createRange().createContextualFragment('<img id=fragment src=fragment.png>'); document.body.append(range); await decoded(fragment);`,
      { body: '<template id=kept><img id=adopted src=adopted.png></template>' }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { adopted: [20] } });
      for (const path of ['/inert.png', '/parsed.png', '/in-template.png']) expect(timesAsked(seen, path), path).toBe(0);
      expect(timesAsked(seen, '/adopted.png')).toBe(1);
    },
  },
  {
    name: 'srcset', title: 'srcset, sizes and <picture>: the candidate that the browser chooses, once',
    site: {
      '/': page({ body: `<img id=dense srcset="x1.png, x2.png 2x" src=fallback.png><img id=wide srcset="w400.png 400w, w1600.png 1600w" sizes="300px" src=fallback.png>
        <picture><source media="(max-width: 1px)" srcset=small.png><source type="image/nonsense" srcset=nonsense.png><source srcset=chosen.png><img id=picture src=in-picture.png></picture>${FAR}<img id=far srcset="far1.png, far2.png 2x">` }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ images: { picture: '20x20 in 20x20 complete own/chosen.png' } });
      expect(timesAsked(seen, '/fallback.png')).toBe(0);
      for (const path of ['/x1.png', '/w400.png', '/chosen.png', '/far1.png']) expect(timesAsked(seen, path), path).toBe(1);
    },
    // stock Firefox asks for what an <img> in <picture> has of its own now and then, where the parser stops between the two
    compared: ({ page: told, requests }) => {
      const { resources, ...others } = told as { resources: Record<string, number> };
      return { ...others, resources: Object.entries(resources).filter(([url]) => !url.endsWith('/in-picture.png')), requests: requests.filter((line) => !line.includes('/in-picture.png')) };
    },
  },
  {
    name: 'other-pictures', title: 'Posters, CSS backgrounds, list marks, borders, SVG images, image maps, input type=image, <object>, data: and blob:',
    site: {
      '/style.css': file('text/css', '#back{background:url(background.png)} ul{list-style-image:url(mark.png)} #border{border:9px solid;border-image:url(border.png) 3} #content::before{content:url(content.png)} .unused{background:url(unused.png)} #hidden{display:none;background:url(hidden.png)}'),
      '/': scripted(`${LOADED} const blob = await (await fetch('blob.png')).blob(); const image = new Image(); image.src = URL.createObjectURL(blob); await decoded(image); note('blob', image.naturalWidth);`, {
        head: '<link rel=stylesheet href=style.css>',
        body: `<p id=back>b</p><ul><li>x</ul><p id=border>b</p><p id=content></p><p id=hidden></p><video poster=poster.png width=50 height=50></video><svg width=30 height=30><image id=svg href=svg.png width=20 height=20 /></svg>
          <img id=mapped src=map.png usemap=#map><map name=map><area href=# shape=rect coords=0,0,9,9></map><input id=button type=image src=button.png><object id=object data=object.png></object>
          <img id=data src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7">`,
      }),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { blob: [20], '<mapped>': ['load'], '<data>': ['load'] } });
      for (const path of ['/background.png', '/mark.png', '/border.png', '/content.png', '/poster.png', '/svg.png', '/map.png', '/button.png', '/object.png']) expect(timesAsked(seen, path), path).toBe(1);
      for (const path of ['/unused.png', '/hidden.png']) expect(timesAsked(seen, path), path).toBe(0);
    },
    // Chromium tells of an input once or twice, as its alternative text was shown before or not
    compared: ({ page: told, requests }) => {
      const { notes, ...others } = told as { notes: Record<string, unknown> };
      return { ...others, notes: { ...notes, '<button>': null }, requests };
    },
  },
  {
    name: 'preloads', title: 'Preloaded pictures, prefetch, fonts of a sheet, imports of sheets and modules: each once',
    site: {
      '/style.css': file('text/css', "@import 'imported.css'; @font-face{font-family:f;src:url(font.woff2)} body{font-family:f}"),
      '/imported.css': file('text/css', 'p{background:url(deep.png)}'),
      '/module.js': file('text/javascript', "import { value } from './inner.js'; note('module', value); finish();"),
      '/inner.js': file('text/javascript', 'export const value = 7;'),
      '/': page({ head: '<link rel=preload as=image href=hero.png><link rel=stylesheet href=style.css><script type=module src=module.js></script>', body: '<p>text</p><img id=hero src=hero.png>', script: '' }),
    },
    visit: async (tab, { url, asked }) => {
      const told = await toldBy(tab, url('/'));
      // both are asked for when the page is laid out
      for (const path of ['/font.woff2', '/deep.png']) await asked(path);
      return told;
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { module: [7] } });
      for (const path of ['/hero.png', '/imported.css', '/inner.js', '/deep.png']) expect(timesAsked(seen, path), path).toBe(1);
    },
    // modules run before the window has loaded: which pictures are there by then depends on the machine
    compared: ({ page: told, requests }) => ({ module: (told as { notes: { module: unknown } }).notes.module, requests }),
  },
  {
    name: 'favicon', title: 'Icons of a page and of a web app',
    site: {
      '/icon.png': { headers: { 'content-type': 'image/png', 'cache-control': 'no-store' }, body: Buffer.alloc(0) },
      '/': page({ head: '<link rel=icon href=icon.png><link rel=apple-touch-icon href=touch.png>', body: '<img id=a src=a.png>' }),
    },
    visit: async (tab, { browser, url, asked }) => {
      const told = await toldBy(tab, url('/'));
      for (const path of ['/icon.png', ...(browser === 'firefox' ? ['/touch.png'] : [])]) await asked(path);
      return told;
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { '<a>': ['load'] } }),
    // an icon is asked for after the load: the page is told of it in time or not
    compared: notesAndImages,
  },
  {
    name: 'many', title: '3,000 pictures with URLs of 8 kB',
    site: {
      '/': scripted(`
        const long = 'x'.repeat(8000); const far = document.createElement('div'); far.style.height = '20000px'; document.body.append(far, ...Array.from({ length: 3000 }, (_, i) => { const image = new Image(9, 9); image.loading = i < ${EAGER_COUNT} ? 'eager' : 'lazy'; image.src = 'p.png?' + i + long; return image; }));
        ${LOADED} note('shown', [...document.images].filter(({ naturalWidth }) => naturalWidth > 0).length >= ${EAGER_COUNT});`),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { shown: [true] } }),
    compared: ({ page: told, requests }) => ({ notes: (told as { notes: object }).notes, first: requests.filter((line) => EAGER.test(line)) }),
  },
]);

/** The resource timing of a request that was given up is there or not. */
function withoutFirst(told: unknown): unknown {
  const { resources, ...others } = told as { resources: Record<string, number> };
  return { ...others, resources: Object.fromEntries(Object.entries(resources).filter(([name]) => !name.includes('first'))) };
}
