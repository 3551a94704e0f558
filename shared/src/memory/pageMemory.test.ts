import { describe, expect, it } from 'vitest';
import { PageMemory } from './pageMemory.ts';
import type { NeededObject } from './neededObject.ts';

const style = (url: string): NeededObject => ({ url, kind: 'style', bytes: 10 });
const SHARED = style('https://static.test/site.css');
const OWN = style('https://a.test/article.css');

describe('PageMemory', () => {
  it('knows a page that was visited once', () => {
    const memory = PageMemory.empty();
    memory.visited('https://a.test/?from=mail', [SHARED]);
    expect(memory.expected('https://a.test/?from=elsewhere#top')).toEqual([SHARED]);
    expect(memory.expected('https://b.test/')).toEqual([]);
  });

  it('knows what pages of one kind have in common, when it has seen two of them', () => {
    const memory = PageMemory.empty();
    memory.visited('https://a.test/news/1', [SHARED, OWN]);
    expect(memory.expected('https://a.test/news/9')).toEqual([]);
    memory.visited('https://a.test/news/2', [SHARED]);
    memory.visited('https://a.test/news/3', [SHARED]);
    expect(memory.expected('https://a.test/news/9')).toEqual([SHARED]);
  });

  it('keeps no query, and nothing that is not of the web', () => {
    const memory = PageMemory.empty();
    memory.visited('https://a.test/?session=secret', [style('https://a.test/x.css?user=secret'), style('data:text/css,secret'), style('blob:https://a.test/secret'), SHARED]);
    expect(JSON.stringify(memory.stored())).not.toContain('secret');
    expect(memory.expected('https://a.test/')).toEqual([SHARED]);
  });

  it('keeps a version behind a name', () => {
    const memory = PageMemory.empty();
    const versioned = ['https://a.test/s.css?v=3f2a', 'https://a.test/t.css?ver=5.2.1'].map(style);
    memory.visited('https://a.test/', [...versioned, style('https://a.test/u.css?v=1&user=2'), style('https://a.test/w.css?id=7')]);
    expect(memory.expected('https://a.test/')).toEqual(versioned);
  });

  it('comes back from what it was stored as, and from nothing else', () => {
    const memory = PageMemory.empty();
    memory.visited('https://a.test/', [SHARED]);
    const stored = JSON.parse(JSON.stringify(memory.stored())) as unknown;
    expect(PageMemory.restore(stored)?.expected('https://a.test/')).toEqual([SHARED]);
    for (const other of [null, 'text', {}, { version: 2, pages: [], templates: [] }, { ...memory.stored(), pages: [['x', {}]] }]) expect(PageMemory.restore(other)).toBeNull();
  });

  it('forgets a site: its pages, and its objects on others', () => {
    const memory = PageMemory.empty();
    memory.visited('https://www.a.test/', [SHARED]);
    memory.visited('https://b.test/', [SHARED, style('https://img.a.test/x.css'), style('https://nota.test/y.css')]);
    memory.forgetSite('a.test');
    expect(memory.expected('https://www.a.test/')).toEqual([]);
    expect(memory.expected('https://b.test/').map(({ url }) => url)).toEqual([SHARED.url, 'https://nota.test/y.css']);
    memory.forgetAll();
    expect(JSON.stringify(memory.stored())).not.toContain('test');
  });

  it('is bounded: the page that was visited longest ago goes', () => {
    const memory = PageMemory.empty();
    for (let i = 0; i <= 500; i += 1) memory.visited(`https://${i}.test/`, [SHARED]);
    memory.visited('https://1.test/', [SHARED]);
    memory.visited('https://new.test/', [SHARED]);
    expect([memory.expected('https://0.test/'), memory.expected('https://2.test/')]).toEqual([[], []]);
    expect(memory.expected('https://1.test/')).toEqual([SHARED]);
  });
});
