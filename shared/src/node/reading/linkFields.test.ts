import { describe, expect, it } from 'vitest';
import { linkedElements } from './linkFields.ts';

describe('links of a document\'s answer', () => {
  it.each<[string, readonly string[], readonly Record<string, string>[]]>([
    ['what is loaded ahead', ['</a.css>; rel=preload; as=style'], [{ href: '/a.css', rel: 'preload', as: 'style' }]],
    ['several in one field, and in several', ['<a>;rel=preload;as="font";crossorigin, <b> ; REL = "x PreLoad"', '<c>;rel=modulepreload,'], [{ href: 'a', rel: 'preload', as: 'font', crossorigin: '' }, { href: 'b', rel: 'x PreLoad' }, { href: 'c', rel: 'modulepreload' }]],
    ['what stands in quotes, whatever it is', ['<a>; title="x, <b>; rel=\\"y"; rel=preload'], [{ href: 'a', title: 'x, <b>; rel="y', rel: 'preload' }]],
    ['the first of a name', ['<a>; rel=preload; rel=next; as=image; as=font'], [{ href: 'a', rel: 'preload', as: 'image' }]],
    ['an address with separators in it', ['<a?b=c,d;e>; rel=preload'], [{ href: 'a?b=c,d;e', rel: 'preload' }]],
    ['no other relation', ['<a>; rel=preconnect, <b>; rel=next, <c>, <d>; rel="preload stylesheet", <e>; rel=nopreload'], []],
    ['nothing of another document', ['<a>; rel=preload; anchor="/b"'], []],
    ['nothing behind what is no link', ['<a>; rel=preload, b, <c>; rel=preload'], [{ href: 'a', rel: 'preload' }]],
    ['nothing where there is none', ['', 'x'], []],
  ])('%s', (_, values, expected) => {
    expect(linkedElements(values).map(({ attributes }) => Object.fromEntries(attributes))).toEqual(expected);
  });

  it('are read in time however they are made', () => {
    const startMs = performance.now();
    for (const part of ['; a', ' ;', ';\t', '<a>;', '"', '\\', '; a="', '; a= ']) for (const end of ['', '"']) linkedElements([`<a>${part.repeat(256 * 1024 / part.length)}${end}`]);
    expect(performance.now() - startMs).toBeLessThan(2_000);
  });
});
