import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { notesAndImages, rows, timesAsked, toldBy } from '../case.ts';
import { LOADED, OBSERVER, file, page, scripted } from '../page.ts';

/** Time in which a page would ask for what a browser lets it ask for on its own account, before its script is done. */
const SETTLED = 'await new Promise((resolve) => setTimeout(resolve, 500));';

/** In which a browser that asks nobody is done with a small page. */
const ANSWER_LIMIT_MS = 4_000;

/** What pages may do, and what may be done to them. */
export const SECURITY_CASES = rows([
  {
    name: 'csp', title: 'Content Security Policy: what it blocks is not asked for, what it allows is, and each violation is reported once',
    site: {
      '/observer.js': file('text/javascript', `${OBSERVER};addEventListener('load', () => setTimeout(finish, 200));`),
      '/': {
        headers: { 'content-type': 'text/html', 'cache-control': 'no-store', 'content-security-policy': "default-src 'self'; img-src 'self' {two}; style-src 'self'; report-uri /report" },
        body: '<!doctype html><head><script src=observer.js></script><link rel=stylesheet href=style.css><link rel=icon href=icon.png></head><body><img id=a src=a.png><img id=two src="{two}/t.png"><img id=other src="{other}/o.png"><script>document.title = "inline"</script><p style="background:url(styled.png)">x</p></body>',
      },
      '/style.css': file('text/css', 'body{background:url({other}/background.png)} p{background:url(own.png)}'),
      '/report': { status: 204 },
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ title: '', notes: { '<a>': ['load'], '<two>': ['load'], '<other>': ['error'] } });
      for (const path of ['/o.png', '/background.png']) expect(timesAsked(seen, path, 'other'), path).toBe(0);
      expect(timesAsked(seen, '/a.png')).toBe(1);
    },
    // reports are sent when the browser likes, a violation is told when its sheet or picture is come to, and the icon's request may come too late for the page to be told of it
    compared: ({ page: told, requests }) => ({ told: withoutChance(told), requests: requests.filter((line) => !line.includes('/report')) }),
  },
  {
    name: 'trusted-types', title: 'A page that requires Trusted Types works, without a violation of ours',
    site: {
      '/': scripted(`try { document.body.innerHTML = '<img src=never.png>'; } catch ({ name }) { note('plain', name); }
        const policy = trustedTypes.createPolicy('p', { createHTML: (text) => text }); const box = document.createElement('div'); document.body.append(box);
        box.innerHTML = policy.createHTML('<img id=made src=made.png>'); await decoded(box.firstChild); note('made', box.firstChild.naturalWidth); ${LOADED}`,
      { body: '<img id=a src=a.png>', headers: { 'content-security-policy': "require-trusted-types-for 'script'; trusted-types p" } }),
    },
    browsers: ['chromium'],
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { plain: ['TypeError'], made: [20], '<a>': ['load'] } });
      expect(timesAsked(seen, '/never.png')).toBe(0);
    },
  },
  {
    name: 'upgrade', title: 'upgrade-insecure-requests: everything is asked for over https:, nothing in clear',
    site: { '/': page({ body: '<img id=a src="{http:own}/a.png"><img id=o src="{http:other}/o.png">', head: '<link rel=stylesheet href="{http:own}/style.css">', headers: { 'content-security-policy': 'upgrade-insecure-requests' } }), '/style.css': file('text/css', 'body{background:url({http:other}/b.png)}') },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<a>': ['load'], '<o>': ['load'] } });
      expect(seen.requests.filter((line) => line.includes(' http '))).toEqual([]);
    },
  },
  {
    name: 'mixed', title: 'Mixed content: scripts in clear are blocked, pictures are upgraded or asked for, as the browser does',
    site: { '/': page({ head: '<script src="{http:other}/script.js"></script>', body: '<img id=a src="{http:other}/a.png"><iframe src="{http:other}/frame"></iframe>' }) },
    expects: (seen) => expect(timesAsked(seen, '/script.js', 'other')).toBe(0),
  },
  {
    name: 'hsts', title: 'HSTS learnt from a server: later http: URLs of its host are never asked for in clear',
    site: {
      'other/': page({ headers: { 'strict-transport-security': 'max-age=600' }, body: '<img id=a src=a.png>' }),
      '/': page({ head: '<link rel=stylesheet href="{http:other}/style.css">', body: '<img id=b src="{http:other}/b.png"><iframe src="{http:other}/frame"></iframe>' }),
      'other/style.css': file('text/css', 'body{background:url(c.png)}'),
      'other/frame': file('text/html', '<img src=framed.png>'),
    },
    visit: async (tab, { url }) => {
      const first = await toldBy(tab, url('/', 'other'));
      return [first, await toldBy(tab, url('/', 'own', 'http'))];
    },
    expects: (seen) => {
      // Firefox keeps what it has learnt apart for each site: there stock asks in clear
      expect(timesAsked(seen, '/b.png', 'other')).toBe(1);
      expect(timesAsked(seen, '/c.png', 'other')).toBe(1);
    },
  },
  {
    name: 'private', title: 'A public page that names private and loopback addresses: they are asked for what stock asks for, and no more',
    site: {
      '/style.css': file('text/css', 'body{background:url({http:private}/background.png)}'),
      '/': scripted(`${LOADED} ${SETTLED}`, {
        head: '<link id=own rel=stylesheet href=style.css><link id=apply rel=stylesheet href="{http:private}/apply.cgi?reboot=1"><link id=preload rel=preload as=image href="{http:loop}/preload.png">',
        body: '<img id=r src="{http:private}/router.png"><img id=l src="{http:loop}/loop.png"><img id=n src="http://127.0.0.1/number.png"><img id=s src="{private}/secure.png"><img id=t src="{loop}/secure.png"><script src="{http:loop}/script.js"></script>',
      }),
    },
    visit: async (tab, { url, asked }) => {
      // the document is parsed when the user has answered
      void tab.open(url('/', 'own', 'http'));
      await asked('/style.css');
      // Firefox asks its user, and the page waits until there is an answer
      return Promise.race([tab.finished(), sleep(ANSWER_LIMIT_MS, 'the browser asks its user')]);
    },
    expects: (seen) => expect(timesAsked(seen, '/style.css')).toBe(1),
    known: {
      browser: 'firefox', modes: ['tunnel', 'interception'],
      reason: [
        'Firefox takes a page that came by a proxy on this machine for a page of this machine, and does not ask its user before it reaches private addresses (Local Network Access, on by default in Firefox 153).',
        'It does the same with a bare proxy on loopback and no extension; it knows no `treat-as-public-address`, and gives extensions no say.',
        'The helper itself sends nothing there. Who wants to be asked leaves `connections` off in Firefox.',
      ].join(' '),
      expects: ({ requests }) => {
        const paths = requests.map((line) => line.split(' ').slice(1, 3).join(' ')).filter((path) => !path.startsWith('http own/'));
        expect(paths).toEqual([
          'http loop/loop.png', 'http loop/preload.png', 'http loop/script.js', 'http private/apply.cgi?reboot=1', 'http private/background.png', 'http private/router.png',
          'https loop/secure.png', 'https private/secure.png',
        ]);
      },
    },
  },
  {
    name: 'rebinding', title: 'A name that leads to this machine after its page was loaded: nothing that stock would not ask',
    site: {
      'rebind/': scripted(`${LOADED} ${SETTLED}`, { body: '<img id=a src=a.png><iframe src=frame></iframe>', head: '<link rel=stylesheet href=style.css>' }),
      // Firefox asks again for a sheet that is missing, or not
      'rebind/style.css': file('text/css', 'body{color:red}'),
      'rebind/next': scripted(`${LOADED} ${SETTLED}`, { body: '<img id=b src=b.png>' }),
    },
    visit: async (tab, { url, rebind }) => {
      const first = await toldBy(tab, url('/', 'rebind', 'http'));
      rebind();
      await tab.evaluate(() => new Promise((resolve) => setTimeout(resolve, 1_500)));
      return [first, await toldBy(tab, url('/next', 'rebind', 'http'))];
    },
    expects: (seen) => expect(timesAsked(seen, '/a.png', 'rebind')).toBe(1),
  },
  {
    name: 'blocker', title: 'A blocker extension: the tracker never hears of the page',
    site: {
      '/': scripted(`${LOADED} note('fetch', await fetch('{tracker}/fetch').then(() => 'answered', () => 'blocked')); ${SETTLED}`, {
        head: '<link id=near rel=preconnect href="{tracker}"><link id=sheet rel=stylesheet href="{tracker}/style.css"><script src="{tracker}/script.js" async></script><link id=preload rel=preload as=image href="{tracker}/preload.png">',
        body: '<img id=a src=a.png><img id=pixel src="{tracker}/pixel.png"><p>x</p><iframe src="{tracker}/frame"></iframe>',
      }),
      '/style.css': file('text/css', 'p{background:url({tracker}/background.png)}'),
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<a>': ['load'], fetch: ['blocked'] } });
      expect(seen.requests.filter((line) => line.includes(' tracker/'))).toEqual([]);
    },
    // Firefox asks again for what was blocked, or not
    compared: ({ page: told, requests }) => {
      const { resources, ...others } = told as { resources: object };
      return { ...others, resources: Object.keys(resources), requests };
    },
  },
  {
    name: 'blocker-clear', title: 'The same over http:, where the helper reads pages without interception',
    site: { '/': page({ head: '<script src="{http:tracker}/script.js"></script>', body: '<img id=a src=a.png><img src="{http:tracker}/pixel.png">' }) },
    visit: (tab, { url }) => toldBy(tab, url('/', 'own', 'http')),
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { '<a>': ['load'] } });
      expect(seen.requests.filter((line) => line.includes(' tracker/'))).toEqual([]);
    },
    // Firefox counts a blocked picture once or twice, without us too
    compared: notesAndImages,
  },
  {
    name: 'isolation', title: 'Cross-origin isolation, CORP, SRI, sandboxed frames, referrer policies, nosniff',
    site: {
      '/': scripted(`${LOADED} note('isolated', crossOriginIsolated);`, {
        head: '<meta name=referrer content=origin>',
        body: '<img id=refused src="{other}/no-corp.png"><img id=allowed src="{other}/corp.png"><img id=silent referrerpolicy=no-referrer src=silent.png><script id=sri src=s.js integrity=sha256-AAAA crossorigin></script><iframe sandbox srcdoc="<img src={own}/sandboxed.png>"></iframe>',
        headers: { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' },
      }),
      '/s.js': file('text/javascript', "note('sri', 'ran')"),
      'other/corp.png': { headers: { 'content-type': 'image/svg+xml', 'cross-origin-resource-policy': 'cross-origin' }, body: '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"></svg>' },
    },
    expects: (seen) => {
      expect(seen.page).toMatchObject({ notes: { isolated: [true], '<refused>': ['error'], '<allowed>': ['load'], '<sri>': ['error'] } });
      expect(seen.requests.filter((line) => line.includes('/silent.png'))).toEqual([expect.not.stringContaining('referer')]);
    },
    // Firefox asks again for what it has refused, or not
    compared: ({ page: told, requests }) => ({ notes: (told as { notes: object }).notes, requests: requests.filter((line) => !/no-corp|s\.js/.test(line)) }),
  },
  {
    name: 'bad-certificate', title: 'A server whose certificate is for another name: the browser\'s own page of the error',
    site: {},
    visit: (tab, { url }) => tab.open(url('/').replace('bad-certificate.own', 'bad.bad-certificate.own')),
    expects: (seen) => expect(seen.page).not.toBe('ok'),
  },
  {
    name: 'private-window', title: 'Private windows and containers share nothing with the other windows',
    site: {
      '/set': page({ headers: { 'set-cookie': 'user=a; Path=/; Secure' }, body: '<img id=a src=a.png>' }),
      '/': page({ body: '<img id=a src=cached.svg>' }),
      '/cached.svg': { headers: { 'content-type': 'image/svg+xml', 'cache-control': 'max-age=600' }, body: '<svg xmlns="http://www.w3.org/2000/svg" width="5" height="5"></svg>' },
    },
    visit: async (tab, { url, newPrivateTab }) => {
      await toldBy(tab, url('/set'));
      const first = await toldBy(tab, url('/'));
      const hidden = await newPrivateTab();
      return [first, await toldBy(hidden, url('/'))];
    },
    expects: (seen) => {
      expect(seen.requests.filter((line) => line.includes('own/ ') && line.includes('user=a'))).toHaveLength(1);
      expect(timesAsked(seen, '/cached.svg')).toBe(2);
    },
  },
]);

function withoutChance(told: unknown): unknown {
  const { notes, resources, ...others } = told as { notes: Record<string, readonly unknown[]>; resources: Record<string, number> };
  return { ...others, resources: { ...resources, 'own/icon.png': null }, notes: { ...notes, violations: [...(notes['violations'] ?? [])].sort() } };
}
