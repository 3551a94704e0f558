import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { expect } from 'vitest';
import { rows, type Seen, timesAsked, toldBy } from '../case.ts';
import { LOADED, file, page, scripted } from '../page.ts';

const KIB = 1024;
/** A browser that does not prerender at all fails the case, and is not waited for. */
const PRERENDERED_LIMIT_MS = 3_000;
const VISITED_LIMIT_MS = 10_000;
const POLL_MS = 20;

/** Documents made to be slow, and documents of every kind in every place. */
export const DOCUMENT_CASES = rows([
  {
    name: 'slow-sheets', title: 'Style sheets made to be slow to read: 1 MiB of "/*", comments, brackets and quotes without an end', alone: true,
    site: {
      '/': page({ head: ['open', 'quadratic', 'brackets', 'quotes'].map((name) => `<link rel=stylesheet href=${name}.css>`).join(''), body: '<p>text</p><img id=a src=a.png>' }),
      '/open.css': file('text/css', '/*'.repeat(512 * KIB)),
      '/quadratic.css': file('text/css', `${'/* '.repeat(300 * KIB)}*/ p{background:url(end.png)}`),
      '/brackets.css': file('text/css', '(['.repeat(256 * KIB)),
      '/quotes.css': file('text/css', `${'url("'.repeat(100 * KIB)}\n p{border-image:url(x.png)}`),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<a>': ['load'], document: ['parsed', 'loaded'] } });
      expect(timesAsked(seen, '/end.png')).toBe(1);
    },
  },
  {
    name: 'slow-documents', title: 'Documents made to be slow to read: 5,000 nested elements, an attribute of 1 MiB, a comment without an end, 256 KiB of "<"', alone: true,
    site: {
      '/': page({ body: `<img id=a src=a.png><p data-x="${'x'.repeat(KIB * KIB)}">x</p><iframe src=nested></iframe><iframe src=open></iframe><iframe src=less></iframe>` }),
      '/nested': file('text/html', `<!doctype html>${'<div>'.repeat(5_000)}<img src=deep.png>`),
      '/open': file('text/html', `<!doctype html><img src=before.png><!--${'<img src=never.png>--'.repeat(20 * KIB)}`),
      '/less': file('text/html', `<!doctype html>${'<'.repeat(256 * KIB)}<img src=after.png>`),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<a>': ['load'], document: ['parsed', 'loaded'] } });
      expect(timesAsked(seen, '/before.png')).toBe(1);
      expect(timesAsked(seen, '/never.png')).toBe(0);
    },
  },
  {
    name: 'many-rules', title: 'A style sheet of 20,000 rules and 2,000 pictures, of which the page uses three', alone: true,
    site: {
      '/': page({ head: '<link rel=stylesheet href=style.css>', body: '<p class=c1>a</p><p class=c2>b</p><p class=c3>c</p>' }),
      '/style.css': file('text/css', Array.from({ length: 20_000 }, (_, i) => `.c${i}>a[x="${i}"]:not(.d${i})~b{color:red}`).join('') + Array.from({ length: 2_000 }, (_, i) => `.c${i}{background:url(p${i}.png)}`).join('')),
    },
    expects: (seen) => expect(seen.requests.filter((line) => /own\/p\d+\.png/.test(line))).toHaveLength(3),
  },
  {
    name: 'slow-document', title: 'A document that comes in pieces: each piece is shown when it comes',
    site: {
      '/': async ({ response }) => {
        const pieces = ['<!doctype html><link rel=icon href=data:,><script>window.finished=new Promise((r)=>window.told=r);window.seen=[]</script><img src=first.png onload="seen.push(1)">', '<script>seen.push(document.images.length)</script><img src=second.png onload="seen.push(2)">', '<script>seen.push(document.images.length);onload=()=>setTimeout(()=>told(seen.sort()))</script>'];
        (response as ServerResponse).writeHead(200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
        for (const piece of pieces) {
          (response as ServerResponse).write(piece + ' '.repeat(2 * KIB));
          await sleep(200);
        }
        (response as ServerResponse).end();
        return undefined;
      },
    },
    expects: (seen) => expect(seen.page).toEqual([1, 1, 2, 2]),
  },
  {
    name: 'frames', title: 'Frames of the same and of another origin, in frames, without a source, lazy, and their pictures',
    site: {
      '/': scripted(`${LOADED} while (heard.length < 4) await new Promise((resolve) => setTimeout(resolve, 20)); note('heard', heard.sort());
        const inBlank = blank.contentDocument.createElement('img'); inBlank.src = new URL('in-blank.png', location).href; blank.contentDocument.body.append(inBlank); await decoded(inBlank); note('blank', inBlank.naturalWidth);`, {
        // before the frames: the first of them may be heard before the parser comes to what is behind them
        head: "<script>const heard = []; addEventListener('message', ({ data }) => heard.push(data));</script>",
        body: '<iframe src=same></iframe><iframe src="{other}/cross"></iframe><iframe srcdoc="<img src={own}/srcdoc.png onload=&quot;parent.postMessage(\'srcdoc\', \'*\')&quot;>"></iframe><iframe id=blank></iframe><div style="height:9000px"></div><iframe loading=lazy src=never></iframe>',
      }),
      '/same': file('text/html', '<img src=same.png onload="parent.postMessage(\'same\', \'*\')"><div style="height:3000px"></div><img src=below.png>'),
      'other/cross': file('text/html', '<img src=cross.png onload="parent.postMessage(\'cross\', \'*\')"><iframe src="{two}/inner"></iframe>'),
      'two/inner': file('text/html', '<img src=inner.png onload="top.postMessage(\'inner\', \'*\')">'),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { heard: [['cross', 'inner', 'same', 'srcdoc']], blank: [20] } });
      expect(timesAsked(seen, '/below.png')).toBe(1);
    },
    // Chromium and Firefox load a lazy frame at a distance of their own
    compared: ({ page: told, requests }) => ({ notes: (told as { notes: object }).notes, requests: requests.filter((line) => !line.includes('/never')) }),
  },
  {
    name: 'writes', title: 'document.write of pictures and scripts, scripts that block, defer and async',
    site: {
      '/block.js': file('text/javascript', "note('order', 'block'); document.write('<img id=written src=written.png><script src=nested.js><\\/script>');"),
      '/nested.js': file('text/javascript', "note('order', 'nested');"),
      '/defer.js': file('text/javascript', "note('order', 'defer ' + document.images.length);"),
      '/': page({ head: '<script defer src=defer.js></script>', body: '<script src="block.js?delay=100"></script><script>note("order", "inline")</script><img id=after src=after.png>' }),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { order: ['block', 'nested', 'inline', 'defer 2'], '<written>': ['load'] } }),
  },
  {
    name: 'spa', title: 'A page that changes its address by script (pushState, replaceState, hash) and shows other pictures',
    site: {
      '/': scripted(`
        for (const route of ['/one', '/two?x=1', '#three']) { history.pushState({}, '', route); box.innerHTML = '<img src="/' + route.replace(/\\W/g, '') + '.png">'; await decoded(box.firstChild); note(location.pathname + location.hash, box.firstChild.naturalWidth); }
        history.back(); await new Promise((resolve) => addEventListener('popstate', resolve)); note('back', location.pathname + location.search);`, { body: '<div id=box></div><img id=a src=/a.png>' }),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { '/one': [20], '/two': [20], '/two#three': [20], back: ['/two?x=1'] } }),
    compared: withoutFirstPicture,
  },
  {
    name: 'service-worker', title: 'A page with a service worker: what the worker answers and what it passes on',
    site: {
      '/sw.js': file('text/javascript', "oninstall = () => skipWaiting(); onactivate = (event) => event.waitUntil(clients.claim()); onfetch = (event) => { if (event.request.url.includes('made')) event.respondWith(new Response('<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"7\" height=\"7\"></svg>', { headers: { 'content-type': 'image/svg+xml' } })); else if (event.request.url.includes('passed')) event.respondWith(fetch(event.request)); };"),
      '/': scripted("await navigator.serviceWorker.register('sw.js'); await navigator.serviceWorker.ready; while (!navigator.serviceWorker.controller) await new Promise((resolve) => setTimeout(resolve, 20)); note('controlled', true);", { body: '<img id=a src=a.png>' }),
      '/next': page({ body: '<img id=made src=made.png><img id=passed src=passed.png><img id=plain src=plain.png><div style="height:3000px"></div><img id=far src=made-far.png>' }),
    },
    visit: async (tab, { url }) => {
      await toldBy(tab, url('/'));
      return toldBy(tab, url('/next'));
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ images: { made: expect.stringContaining('7x7') as string, passed: expect.stringContaining('20x20') as string, far: expect.stringContaining('7x7') as string } });
      expect(seen.requests.filter((line) => line.includes('made'))).toEqual([]);
    },
    // the browser looks for a newer worker when it likes
    compared: ({ page: told, requests }) => ({ told, requests: requests.filter((line) => !line.includes('/sw.js')) }),
  },
  {
    // Firefox fails to open a tab while a page closes another one (Turns in firefox.ts)
    name: 'popup', title: 'Pop-ups and their opener; a page in a tab behind', alone: true,
    site: {
      '/': scripted("const heard = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data))); const opened = open('child'); note('child', await heard); opened.close();", { body: '<img id=a src=a.png>' }),
      '/child': file('text/html', '<img src=child.png onload="opener.postMessage(naturalWidth, \'*\')"><div style="height:3000px"></div><img src=child-far.png>'),
    },
    expects: (seen) => expect(seen.page).toMatchObject({ notes: { child: [20] } }),
    compared: ({ page: told, requests }) => ({ notes: (told as { notes: { child: unknown } }).notes.child, requests: requests.filter((line) => !/child-far|own\/a\.png/.test(line)) }),
  },
  {
    name: 'background-tab', title: 'A page that loads in a tab behind another one',
    site: { '/': page({ body: '<img id=a src=a.png><div style="height:3000px"></div><img id=far src=far.png>' }), '/front': page({ body: '<img id=f src=front.png>' }) },
    visit: async (tab, { url, newTab }) => {
      const front = await newTab();
      const [, , behind] = await Promise.all([front.open(url('/front')), tab.open(url('/')), tab.finished()]);
      return [behind, await front.finished()];
    },
    expects: (seen) => expect(seen.page).toMatchObject([{ notes: { '<far>': ['load'] } }, { notes: { '<f>': ['load'] } }]),
  },
  {
    name: 'back', title: 'Back to a page, from the back/forward cache or not: its pictures are there, and nothing is asked for twice',
    site: {
      '/': page({ body: '<img id=a src=a.png><div style="height:3000px"></div><img id=far src=far.png>', head: '<script>addEventListener("pageshow", (event) => window.persisted = event.persisted)</script>', headers: { 'cache-control': 'max-age=60' } }),
      '/next': page({ body: '<img id=n src=n.png>' }),
    },
    visit: async (tab, { url }) => {
      await toldBy(tab, url('/'));
      await toldBy(tab, url('/next'));
      await tab.goBack();
      await tab.finished();
      return tab.evaluate(() => [(window as unknown as { persisted: boolean }).persisted, ...[...document.images].map(({ naturalWidth }) => naturalWidth)]);
    },
    expects: (seen) => expect(seen.page).toEqual([expect.anything(), 20, 20]),
  },
  {
    name: 'prerender', title: 'A page that is prerendered, and then visited', browsers: ['chromium'], alone: true,
    site: {
      '/': page({ body: '<script type=speculationrules>{"prerender":[{"urls":["/next"],"eagerness":"immediate"}]}</script><a id=go href=/next>go</a><img id=a src=a.png>' }),
      '/next': page({ body: '<img id=n src=n.png><div style="height:3000px"></div><img id=far src=far.png>', script: "note('prerendering', document.prerendering); addEventListener('load', () => setTimeout(finish));" }),
    },
    visit: async (tab, { url, asked }) => {
      await toldBy(tab, url('/'));
      // its pictures are asked for while it is out of sight
      await Promise.race([asked('/far.png'), sleep(PRERENDERED_LIMIT_MS)]);
      await tab.click('#go');
      let wasPrerendered: boolean | null = null;
      const deadlineMs = performance.now() + VISITED_LIMIT_MS;
      while (wasPrerendered === null && performance.now() < deadlineMs) {
        // the driver may refuse at once, while it looks for the page that has taken the place of the other
        await sleep(POLL_MS);
        wasPrerendered = await tab.evaluate(() => {
          const [navigation] = performance.getEntriesByType('navigation') as (PerformanceNavigationTiming & { readonly activationStart: number })[];
          return location.pathname === '/next' ? (navigation?.activationStart ?? 0) > 0 : null;
        }).catch(() => null);
      }
      return [wasPrerendered, await tab.finished()];
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject([true, { notes: { prerendering: [true], '<n>': ['load'], '<far>': ['load'] } }]);
      expect(timesAsked(seen, '/next')).toBe(1);
      expect(timesAsked(seen, '/far.png')).toBe(1);
    },
  },
  {
    name: 'print', title: 'A page that is printed has all its pictures, also lazy ones',
    site: { '/': page({ body: '<img id=a src=a.png><div style="height:6000px"></div><img id=far loading=lazy src=far.png width=20 height=20><style>@media print{p{background:url(printed.png)}}</style><p>x</p>' }) },
    visit: async (tab, { url }) => {
      await toldBy(tab, url('/'));
      const bytes = await tab.print();
      return bytes > 0;
    },
    expects: (seen) => expect(seen.page).toBe(true),
    // a picture that only the print shows may come too late for it
    compared: ({ page: told, requests }) => ({ told, requests: requests.filter((line) => !line.includes('/printed.png')) }),
  },
  {
    name: 'download', title: 'A download and a link with an attachment: once each, and the page stays',
    site: {
      '/file.bin': file('application/octet-stream', Buffer.alloc(100_000, 1), { 'content-disposition': 'attachment; filename=file.bin' }),
      '/': page({ body: '<a id=go href=file.bin download>get</a><img id=a src=a.png>' }),
    },
    visit: async (tab, { url, asked }) => {
      const told = await toldBy(tab, url('/'));
      await tab.click('#go');
      await asked('/file.bin');
      return [told, await tab.evaluate(() => location.pathname)];
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject([{}, '/']);
      expect(timesAsked(seen, '/file.bin')).toBe(1);
    },
  },
  {
    name: 'xml', title: 'Documents that are not HTML: XHTML, SVG, a picture alone, text',
    site: {
      '/x': { headers: { 'content-type': 'application/xhtml+xml' }, body: '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>x</title></head><body><img src="in-xhtml.png"/></body></html>' },
      '/s': { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"><image href="in-svg.png" width="9" height="9"/></svg>' },
    },
    visit: async (tab, { browser, url, asked }) => {
      const seen = [];
      for (const [path, picture] of [['/x', '/in-xhtml.png'], ['/s', '/in-svg.png'], ['/alone.png', '/alone.png']] as const) {
        const opened = tab.open(url(path));
        // Firefox tells of no document where a picture is opened alone; Chromium does not close a tab in mid-navigation
        seen.push(await (browser === 'firefox' ? Promise.race([opened, asked(picture).then(() => 'ok')]) : opened));
        await asked(picture);
      }
      return seen;
    },
    expects: (seen) => {
      expect(seen.page).toEqual(['ok', 'ok', 'ok']);
      for (const path of ['/in-xhtml.png', '/in-svg.png', '/alone.png']) expect(timesAsked(seen, path), path).toBe(1);
    },
  },
]);

/** A picture of the page that may come before or after the script is done. */
function withoutFirstPicture({ page: told, requests }: Seen): unknown {
  return { notes: Object.fromEntries(Object.entries((told as { notes: Record<string, unknown> }).notes).filter(([topic]) => topic.startsWith('/') || topic === 'back')), requests };
}
