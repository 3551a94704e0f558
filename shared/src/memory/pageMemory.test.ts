import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { DAY_MS, dayOf } from './cachedUntil.ts';
import { PageMemory } from './pageMemory.ts';
import { UNSEEN_DOCUMENT, type SeenObject, type Visit, type Expected } from './neededObject.ts';

const style = (url: string): SeenObject => ({ url, kind: 'style', bytes: 10, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } });
const SHARED = style('https://static.test/site.css');
const NOW_MS = Date.parse('2026-11-01T00:00:00Z');
const OWN = style('https://a.test/article.css');

const visitTo = (url: string, objects: readonly SeenObject[], more: Partial<Visit> = {}): Visit => ({ url, asked: url, objects, origins: [], document: UNSEEN_DOCUMENT, addresses: [], ...more });

/** Without how sure it is. */
const plain = (expected?: Expected): SeenObject[] => (expected?.objects ?? []).map(({ isCertain: _, ...object }) => object);

let memory: PageMemory;
beforeEach(() => void (memory = PageMemory.empty()));

describe('PageMemory', () => {
  it('knows a page that was visited once', () => {
    memory.visited(visitTo('https://a.test/?from=mail', [SHARED]), NOW_MS);
    expect(plain(memory.expected('https://a.test/?from=elsewhere#top'))).toEqual([SHARED]);
    expect(plain(memory.expected('https://b.test/'))).toEqual([]);
  });

  it('knows what pages of one kind have in common, when it has seen two of them', () => {
    memory.visited(visitTo('https://a.test/news/1', [SHARED, OWN]), NOW_MS);
    expect(plain(memory.expected('https://a.test/news/9'))).toEqual([]);
    memory.visited(visitTo('https://a.test/news/2', [SHARED]), NOW_MS);
    memory.visited(visitTo('https://a.test/news/3', [SHARED]), NOW_MS);
    expect(plain(memory.expected('https://a.test/news/9'))).toEqual([SHARED]);
  });

  it('knows the servers of a page, and of pages like it', () => {
    for (const [page, origin] of [['1', 'https://one.test'], ['2', 'https://two.test']] as const) memory.visited(visitTo(`https://a.test/news/${page}`, [], { origins: [origin] }), NOW_MS);
    expect(memory.known('https://a.test/news/1').origins).toEqual(['https://two.test', 'https://one.test']);
  });

  it('keeps no query, and nothing that is not of the web', () => {
    memory.visited(visitTo('https://a.test/?session=secret', [style('https://a.test/x.css?user=secret'), style('data:text/css,secret'), style('blob:https://a.test/secret'), SHARED]), NOW_MS);
    expect(JSON.stringify(memory.stored())).not.toContain('secret');
    expect(plain(memory.expected('https://a.test/'))).toEqual([SHARED]);
  });

  it('keeps no page that a script has made, which nobody would find by its site to forget it', () => {
    memory.visited(visitTo('blob:https://a.test/5b3f9c2e-2f8e-4c58-9d0e-0c8b4f8f7a11', [OWN]), NOW_MS);
    expect(memory.stored()).toMatchObject({ pages: [], templates: [] });
  });

  it('keeps no name and password of an address, and forgets what was asked with them by its site', () => {
    const font: SeenObject = { ...style('https://user:secret@static.test/f.woff2?x=1&y=2'), kind: 'font', request: { ...SHARED.request, site: 'cross-site' } };
    const named: SeenObject = { ...OWN, request: { ...OWN.request, referrer: 'https://user:secret@b.test/s.css' } };
    const at = style('https://static.test/npm/@scope/s.css');
    memory.visited(visitTo('https://user:secret@a.test/', [style('https://user:secret@a.test/x.css'), font, named, at], { asked: 'http://user:secret@a.test/old', origins: ['https://user:secret@a.test', 'https://a.test'] }), NOW_MS);
    expect(JSON.stringify(memory.stored())).not.toContain('secret');
    expect(memory.expected('https://a.test/').objects.map(({ url }) => url)).toEqual([OWN.url, at.url]);
    expect(memory.expected('https://a.test/').origins).toEqual(['https://a.test']);
    memory.forgetSite('a.test', NOW_MS);
    expect(memory.stored()).toMatchObject({ pages: [], templates: [] });
  });

  it('keeps a version behind a name, and what files a server has joined', () => {
    const hash = 'e34853135f9e39acf64315236852cd5a';
    const versioned = ['https://a.test/s.css?v=3f2a', 'https://a.test/t.css?ver=5.2.1', `https://a.test/icons.woff2?${hash}`].map(style);
    const joined = style('https://a.test/??lib/j-1.6.js,mtd/a.js');
    const others = ['?secret=??a.js', `??a.js,u/${hash}${hash}/b.js`, 'u.css?v=1&user=2', 'w.css?id=7', `x.css?${hash}${hash}`, `y.css?id=${hash}`, 'z.css?kR3vTq9ZpL2xWm8YbN4c'].map((name) => style(`https://a.test/${name}`));
    memory.visited(visitTo('https://a.test/', [...versioned, joined, ...others]), NOW_MS);
    expect(plain(memory.expected('https://a.test/'))).toEqual([...versioned, joined]);
  });

  it('comes back from what it was stored as, and from nothing else', () => {
    memory.visited(visitTo('https://a.test/', [SHARED]), NOW_MS);
    const stored = JSON.parse(JSON.stringify(memory.stored())) as unknown;
    expect(plain(PageMemory.restore(stored)?.expected('https://a.test/'))).toEqual([SHARED]);
    for (const other of [null, 'text', {}, { version: 1, pages: [], templates: [] }, { ...memory.stored(), pages: [['x', {}]] }]) expect(PageMemory.restore(other)).toBeNull();
  });

  it('is forgotten as an earlier version has stored it, without days', () => {
    memory.visited(visitTo('https://a.test/', [SHARED]), NOW_MS);
    const { cached: _, ...earlier } = { ...SHARED, score: 1 };
    const { pages: [[key, record] = ['', null]], ...stored } = memory.stored();
    const withObject = (object: object): object => ({ ...stored, pages: [[key, { ...record, objects: [object] }]] });
    expect(PageMemory.restore(withObject({ ...SHARED, score: 1 }))).not.toBeNull();
    expect(PageMemory.restore(withObject(earlier))).toBeNull();
    expect(PageMemory.restore({ ...memory.stored(), version: 6 })).toBeNull();
  });

  it('knows until which day the browser has an object, by the last visit', () => {
    const cachedTo = (keptDay: number): SeenObject => ({ ...SHARED, cached: { keptDay, freshDay: 0, profile: 'p' } });
    for (const day of [20_800, 20_801]) memory.visited(visitTo('https://a.test/', [cachedTo(day)]), NOW_MS);
    expect(plain(PageMemory.restore(JSON.parse(JSON.stringify(memory.stored())))?.expected('https://a.test/'))).toEqual([cachedTo(20_801)]);
    memory.visited(visitTo('https://a.test/', [SHARED]), NOW_MS);
    expect(plain(memory.expected('https://a.test/'))).toEqual([SHARED]);
  });

  it('knows of a page also what is not expected any more, and what pages like it have needed', () => {
    memory.visited(visitTo('https://a.test/news/1', [SHARED, OWN]), NOW_MS);
    for (let i = 0; i < 2; i += 1) memory.visited(visitTo('https://a.test/news/1', [SHARED]), NOW_MS);
    expect(plain(memory.expected('https://a.test/news/1'))).toEqual([SHARED]);
    const byUrl = new Map(memory.known('https://a.test/news/1').objects.map((object) => [object.url, object]));
    expect([...byUrl.values()]).toEqual([SHARED, OWN]);
    expect(memory.known('https://a.test/news/9').objects).toEqual([SHARED, OWN]);
    expect(memory.known('https://b.test/')).toEqual({ objects: [], origins: [] });
  });

  it('forgets a site: its pages, and its objects on others', () => {
    memory.visited(visitTo('https://www.a.test/', [SHARED]), NOW_MS);
    memory.visited(visitTo('https://b.test/', [SHARED, style('https://img.a.test/x.css'), style('https://nota.test/y.css')]), NOW_MS);
    memory.forgetSite('a.test', NOW_MS);
    expect(plain(memory.expected('https://www.a.test/'))).toEqual([]);
    expect(plain(memory.expected('https://b.test/')).map(({ url }) => url)).toEqual([SHARED.url, 'https://nota.test/y.css']);
    expect(memory.forgottenMs).toBe(NOW_MS);
  });

  it('is bounded: the page that was visited longest ago goes', () => {
    for (let i = 0; i <= 500; i += 1) memory.visited(visitTo(`https://${i}.test/`, [SHARED]), NOW_MS);
    memory.visited(visitTo('https://1.test/', [SHARED]), NOW_MS);
    memory.visited(visitTo('https://new.test/', [SHARED]), NOW_MS);
    expect([plain(memory.expected('https://0.test/')), plain(memory.expected('https://2.test/'))]).toEqual([[], []]);
    expect(plain(memory.expected('https://1.test/'))).toEqual([SHARED]);
  });

  it('forgets what is two months old', () => {
    memory.visited(visitTo('https://old.test/', [SHARED]), NOW_MS - 61 * 24 * 3600 * 1000);
    memory.visited(visitTo('https://new.test/', [SHARED]), NOW_MS - 59 * 24 * 3600 * 1000);
    const again = PageMemory.restore(memory.stored());
    expect([again?.forgetOld(NOW_MS), again?.forgetOld(NOW_MS)]).toEqual([true, false]);
    expect([plain(again?.expected('https://old.test/')), plain(again?.expected('https://new.test/'))]).toEqual([[], [SHARED]]);
    expect(JSON.stringify(again?.stored())).not.toContain('old.test');
  });

  it('keeps no secret of a path', () => {
    memory.visited(visitTo('https://a.test/reset/3f2a9c81d0b34e5f3f2a', [SHARED, style(`https://a.test/${'3f2a9c81d0'.repeat(5)}/x.css`)]), NOW_MS);
    expect(JSON.stringify(memory.stored())).not.toContain('3f2a');
  });

  it('knows by which addresses servers were reached last', () => {
    memory.visited(visitTo('https://a.test/', [SHARED], { addresses: [{ host: 'a.test', address: '192.0.2.1' }, { host: 'static.test', address: '192.0.2.2' }] }), NOW_MS);
    memory.visited(visitTo('https://b.test/', [SHARED], { addresses: [{ host: 'static.test', address: '2001:db8::3' }] }), NOW_MS);
    const again = PageMemory.restore(JSON.parse(JSON.stringify(memory.stored())));
    const known = (): unknown => ['a.test', 'static.test', 'c.test'].map((host) => again?.addressOf(host));
    expect(known()).toEqual(['192.0.2.1', '2001:db8::3', null]);
    // had from the cache, it was not connected to
    again?.visited(visitTo('https://a.test/', [SHARED], { addresses: [{ host: 'static.test', address: '192.0.2.4' }] }), NOW_MS);
    expect(known()).toEqual(['192.0.2.1', '192.0.2.4', null]);
    again?.forgetSite('static.test', NOW_MS);
    expect(known()).toEqual(['192.0.2.1', null, null]);
    again?.forgetPages(['https://a.test/'], NOW_MS);
    expect(known()).toEqual([null, null, null]);
  });

  it('keeps no more addresses of a page than it may have servers', () => {
    for (let i = 0; i < 20; i += 1) memory.visited(visitTo('https://a.test/', [SHARED], { addresses: [{ host: `h${i}.test`, address: '192.0.2.1' }] }), NOW_MS);
    expect([PageMemory.restore(JSON.parse(JSON.stringify(memory.stored())))?.addressOf('h19.test'), memory.addressOf('h5.test')]).toEqual(['192.0.2.1', null]);
  });

  it('takes a file of before it knew addresses, and none with what is not one', () => {
    memory.visited(visitTo('https://a.test/', [SHARED], { addresses: [{ host: 'a.test', address: '192.0.2.1' }] }), NOW_MS);
    const stored = JSON.stringify(memory.stored());
    expect(plain(PageMemory.restore(JSON.parse(stored.replaceAll(/,"addresses":\[[^\]]*\]/g, '')))?.expected('https://a.test/'))).toEqual([SHARED]);
    expect(PageMemory.restore(JSON.parse(stored.replaceAll('192.0.2.1', 'a.test')))).toBeNull();
  });

  it('keeps nothing of a page that is good once, nor of the address that led to another one', () => {
    memory.visited(visitTo('https://a.test/reset-password/abc12', [SHARED], { origins: ['https://a.test'] }), NOW_MS);
    memory.visited(visitTo('https://a.test/login?token=abc12', [SHARED]), NOW_MS);
    expect(memory.stored()).toMatchObject({ pages: [], templates: [] });
    memory.visited(visitTo('https://a.test/home', [SHARED], { asked: 'https://a.test/invite/abc12' }), NOW_MS);
    expect(memory.stored().pages.map(([key]) => key)).toEqual(['https://a.test/home']);
  });

  it('keeps nothing of a page of which it knows nothing that helps, and goes on with one that it knows', () => {
    memory.visited(visitTo('https://a.test/', [style('https://a.test/x.css?user=7')], { document: { bytes: 9, setsCookies: true, referrerPolicy: null } }), NOW_MS);
    expect(memory.stored()).toMatchObject({ pages: [], templates: [] });
    memory.visited(visitTo('https://a.test/', [SHARED]), NOW_MS);
    for (let i = 0; i < 2; i += 1) memory.visited(visitTo('https://a.test/', []), NOW_MS);
    expect(plain(memory.expected('https://a.test/'))).toEqual([]);
  });

  it('says of which sites it knows something, the last visited first', () => {
    const visits: [string, number][] = [['https://www.a.test/', 5], ['https://a.test:8080/x', 3], ['http://b.test/', 3], ['https://c.test/', 4]];
    for (const [url, ageDays] of visits) memory.visited(visitTo(url, [SHARED]), NOW_MS - ageDays * DAY_MS);
    const siteOf = (url: string): string | null => /([ab]\.test)/.exec(url)?.[1] ?? null;
    const today = dayOf(NOW_MS);
    expect(memory.sites(siteOf)).toEqual([{ site: 'a.test', pages: 2, lastDay: today - 3 }, { site: 'b.test', pages: 1, lastDay: today - 3 }]);
    expect(memory.sites((url) => (url.includes('c.test') ? 'c.test' : 'other')).map(({ site, pages }) => [site, pages])).toEqual([['other', 3], ['c.test', 1]]);
  });

  it('says of a site of which only kinds of pages are left how many', () => {
    memory.visited(visitTo('https://a.test/news/1', [SHARED]), NOW_MS);
    const stored = PageMemory.restore({ ...memory.stored(), pages: [] });
    expect(stored?.sites(() => 'a.test')).toEqual([{ site: 'a.test', pages: 1, lastDay: dayOf(NOW_MS) }]);
  });

  it('forgets pages by their addresses, with what is known of their kinds, and no other ones', () => {
    for (const url of ['https://a.test/news/1', 'https://a.test/news/2', 'https://a.test/about/us', 'http://b.test/', 'https://c.test/']) memory.visited(visitTo(url, [SHARED]), NOW_MS);
    expect(plain(memory.expected('https://a.test/news/9'))).toEqual([SHARED]);
    memory.forgetPages(['https://user@A.test/news/1?from=mail#top', 'https://b.test', 'about:blank', 'no address'], NOW_MS + 1);
    const known = ['https://a.test/news/1', 'https://a.test/news/9', 'http://b.test/'].map((url) => plain(memory.expected(url)));
    expect(known).toEqual([[], [], []]);
    for (const url of ['https://a.test/news/2', 'https://a.test/about/us', 'https://c.test/']) expect(plain(memory.expected(url))).toEqual([SHARED]);
    expect(memory.forgottenMs).toBe(NOW_MS + 1);
  });

  it('forgets all', () => {
    memory.visited(visitTo('https://a.test/news/1', [SHARED]), NOW_MS);
    memory.forgetAll(NOW_MS + 1);
    expect(memory.stored()).toMatchObject({ forgottenMs: NOW_MS + 1, pages: [], templates: [] });
  });

  it('keeps no secret, wherever an address has one', () => {
    const secret = fc.stringMatching(/^[\da-f]{16,40}$/).filter((text) => /\d/.test(text));
    const places = ['/X', '/a/X/b', '/a;sid=X', '/reset/X', '/a?token=X', '/a?b=X#X', '/a?sid=X', '/X@mail.test/'] as const;
    fc.assert(
      fc.property(secret, fc.constantFrom(...places), fc.constantFrom(...places), fc.boolean(), (text, own, askedFor, hasName) => {
        const address = (place: string): string => `https://${hasName ? `user:${text}@` : ''}a.test${place.replaceAll('X', text)}`;
        const memory = PageMemory.empty();
        memory.visited(visitTo(address(own), [SHARED], { asked: address(askedFor), origins: ['https://a.test'] }), NOW_MS);
        expect(JSON.stringify(memory.stored())).not.toContain(text);
      }),
    );
  });

  it('is stored within a bound of bytes: the page that was visited longest ago is left out', () => {
    const many = Array.from({ length: 200 }, (_, i) => style(`https://a.test/${i}/${'words-'.repeat(300)}.css`));
    for (let i = 0; i < 30; i += 1) memory.visited(visitTo(`https://a.test/${i}/`, many), NOW_MS);
    const stored = memory.stored();
    expect(JSON.stringify(stored).length).toBeLessThan(4.1 * 1024 * 1024);
    expect(stored.pages.at(-1)?.[0]).toBe('https://a.test/29/');
  });

  it('knows which servers a page needed, also by the address that led to it, whose own objects it does not claim to know', () => {
    memory.visited(visitTo('https://a.test/home', [SHARED], { asked: 'https://www.a.test/', origins: ['https://a.test', 'https://b.test'] }), NOW_MS);
    for (const url of ['https://a.test/home', 'https://www.a.test/']) expect(memory.expected(url).origins).toEqual(['https://a.test', 'https://b.test']);
    expect([plain(memory.expected('https://a.test/home')), plain(memory.expected('https://www.a.test/'))]).toEqual([[SHARED], []]);
    memory.forgetSite('b.test', NOW_MS);
    expect(memory.expected('https://www.a.test/').origins).toEqual(['https://a.test']);
    expect(memory.expected('https://other.test/').origins).toEqual([]);
  });

  it('keeps of the last visit what servers it needed, and nothing that is no origin', () => {
    memory.visited(visitTo('https://a.test/', [], { origins: ['https://b.test'] }), NOW_MS);
    memory.visited(visitTo('https://a.test/', [], { origins: ['https://c.test', 'https://user@d.test', 'javascript:alert(1)', 'https://e.test/secret'] }), NOW_MS);
    expect(memory.expected('https://a.test/').origins).toEqual(['https://c.test']);
    expect(PageMemory.restore(memory.stored())?.expected('https://a.test/').origins).toEqual(['https://c.test']);
  });

  it('knows the style sheet that a font is asked for, of one whose address may tell of the visitor only its server', () => {
    const font = (name: string, referrer: string): SeenObject => ({ url: `https://f.test/${name}.woff2`, kind: 'font', bytes: 100, cached: null, isNamed: false, request: { referrer, site: 'cross-site', isCors: true, hasCookies: false } });
    memory.visited(visitTo('https://a.test/', [font('a', 'https://f.test/a.css'), font('b', 'https://c.test/css?user=secret')]), NOW_MS);
    expect(plain(memory.expected('https://a.test/')).map(({ request }) => request.referrer)).toEqual(['https://f.test/a.css', 'https://c.test/']);
    memory.forgetSite('c.test', NOW_MS);
    expect(plain(memory.expected('https://a.test/')).map(({ url }) => url)).toEqual(['https://f.test/a.woff2']);
  });

  it('keeps how a picture is to be made, of pictures', () => {
    const picture: SeenObject = { ...style('https://a.test/x?w=640&q=75'), kind: 'image' };
    memory.visited(visitTo('https://a.test/', [style('https://a.test/y?w=640'), picture, { ...picture, url: 'https://a.test/x?w=640&user=7' }]), NOW_MS);
    expect(plain(memory.expected('https://a.test/'))).toEqual([picture]);
  });

  it('keeps a query of what another site gives to everybody, and none that looks like a secret', () => {
    const of = (url: string, request: Partial<SeenObject['request']> = {}, kind: SeenObject['kind'] = 'style'): SeenObject => ({ ...style(url), kind, request: { referrer: null, site: 'cross-site', isCors: false, hasCookies: false, ...request } });
    const [fonts, icons] = [of('https://f.test/css2?family=DM+Sans:wght@400;700&display=swap'), of('https://a.test/icons.woff?e3485', { site: 'same-origin' }, 'font')];
    const others = [
      of('https://f.test/css?user=3f2a9c81d0b34e5f'), of('https://f.test/css?family=A', { hasCookies: true }), of('https://a.test/css?family=A', { site: 'same-origin' }),
      of('https://f.test/css?family=A', { site: 'same-site' }), of('https://f.test/a.js?family=A', {}, 'script'), of('https://f.test/a.png?family=A', {}, 'image'),
    ];
    memory.visited(visitTo('https://a.test/', [fonts, icons, ...others]), NOW_MS);
    expect(plain(memory.expected('https://a.test/'))).toEqual([fonts, icons]);
  });
});
