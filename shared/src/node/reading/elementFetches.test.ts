import { describe, expect, it } from 'vitest';
import { elementFetches, type ElementFetch } from './elementFetches.ts';

function fetches(name: string, attributes: Record<string, string>, hasSources = false): ElementFetch[] {
  return elementFetches({ name, attributes: new Map(Object.entries(attributes)) }, hasSources);
}
const kinds = (name: string, attributes: Record<string, string>): string[] => fetches(name, attributes).map(({ kind }) => kind);

describe('what an element is certain to fetch', () => {
  it.each([
    ['link', { rel: 'stylesheet' }, ['style']],
    ['link', { rel: 'STYLESHEET\tx' }, ['style']],
    ['link', { rel: 'alternate stylesheet' }, []],
    ['link', { rel: 'stylesheet', disabled: '' }, []],
    ['link', { rel: 'stylesheet', media: 'print' }, []],
    ['link', { rel: 'stylesheet', media: 'only print and (color)' }, []],
    ['link', { rel: 'stylesheet', media: 'not all' }, []],
    ['link', { rel: 'stylesheet', media: 'print, screen' }, ['style']],
    ['link', { rel: 'stylesheet', media: 'screen and (min-width: 1px)' }, ['style']],
    ['link', { rel: 'stylesheet', type: 'text/less' }, []],
    ['link', { rel: 'stylesheet', type: 'text/css; charset=utf-8' }, ['style']],
    ['link', { rel: 'preload', as: 'style' }, ['style']],
    ['link', { rel: 'preload', as: 'script' }, ['script']],
    ['link', { rel: 'preload', as: 'image' }, ['image']],
    ['link', { rel: 'preload', as: 'image', imagesrcset: 'x 2x' }, []],
    ['link', { rel: 'preload', as: 'image', type: 'image/jxl' }, []],
    ['link', { rel: 'preload', as: 'font', type: 'font/woff2' }, ['font']],
    ['link', { rel: 'preload', as: 'font', type: 'font/woff9' }, []],
    ['link', { rel: 'preload', as: 'image', media: '(max-width: 9px)' }, []],
    ['link', { rel: 'preload', as: 'fetch' }, []],
    ['link', { rel: 'preload' }, []],
    ['link', { rel: 'modulepreload' }, ['module']],
    ['link', { rel: 'modulepreload', as: 'worker' }, []],
    ['link', { rel: 'icon' }, []],
    ['link', { rel: 'prefetch', as: 'script' }, []],
  ])('<%s> with %j: %j', (name, attributes, expected) => {
    expect(kinds(name, { ...attributes, href: 'x' })).toEqual(expected);
    expect(kinds(name, { ...attributes, href: ' ' })).toEqual([]);
  });

  it.each([
    [{}, ['script']],
    [{ async: '', defer: '' }, ['script']],
    [{ type: '' }, ['script']],
    [{ type: ' Text/JavaScript ' }, ['script']],
    [{ type: 'text/javascript; charset=utf-8' }, []],
    [{ type: 'text/template' }, []],
    [{ type: 'application/json' }, []],
    [{ type: 'importmap' }, []],
    [{ type: 'module' }, ['module']],
    [{ type: 'module', nomodule: '' }, ['module']],
    [{ nomodule: '' }, []],
    [{ language: 'JavaScript' }, ['script']],
    [{ language: 'vbscript' }, []],
    [{ language: 'vbscript', type: 'text/javascript' }, ['script']],
    [{ event: 'onload', for: 'x' }, []],
  ])('<script> with %j: %j', (attributes, expected) => expect(kinds('script', { ...attributes, src: 'x' })).toEqual(expected));

  it.each([
    ['img', {}, ['image']],
    ['image', {}, ['image']],
    ['img', { srcset: '' }, []],
    ['img', { loading: 'LAZY' }, []],
    ['img', { loading: 'eager' }, ['image']],
    ['input', { type: 'IMAGE' }, ['image']],
    ['input', { type: 'text' }, []],
    ['iframe', {}, []],
    ['video', {}, []],
    ['source', {}, []],
  ])('<%s> with %j: %j', (name, attributes, expected) => expect(kinds(name, { ...attributes, src: 'x' })).toEqual(expected));

  it('a poster whatever else is loaded, unless it waits for the view', () => {
    expect(kinds('video', { poster: 'x', preload: 'none' })).toEqual(['image']);
    expect(kinds('video', { poster: 'x', loading: 'lazy' })).toEqual([]);
  });

  it('no image of a picture with sources', () => expect(fetches('img', { src: 'x' }, true)).toEqual([]));

  it.each([
    [undefined, { credentials: 'include', cors: false }, { credentials: 'same-origin', cors: true }],
    ['', { credentials: 'same-origin', cors: true }, { credentials: 'same-origin', cors: true }],
    ['anonymous', { credentials: 'same-origin', cors: true }, { credentials: 'same-origin', cors: true }],
    ['nonsense', { credentials: 'same-origin', cors: true }, { credentials: 'same-origin', cors: true }],
    ['Use-Credentials', { credentials: 'include', cors: true }, { credentials: 'include', cors: true }],
  ])('crossorigin=%s', (crossorigin, plain, module) => {
    const attributes = { src: 'x', href: 'x', ...(crossorigin !== undefined && { crossorigin }) };
    expect(fetches('img', attributes)[0]?.mode).toEqual(plain);
    expect(fetches('script', attributes)[0]?.mode).toEqual(plain);
    expect(fetches('link', { ...attributes, rel: 'stylesheet' })[0]?.mode).toEqual(plain);
    expect(fetches('script', { ...attributes, type: 'module' })[0]?.mode).toEqual(module);
    expect(fetches('link', { ...attributes, rel: 'modulepreload' })[0]?.mode).toEqual(module);
  });

  it.each([
    [{}, false],
    [{ async: '' }, true],
    [{ defer: 'defer' }, true],
    [{ type: 'module' }, true],
  ])('nothing waits for <script> with %j: %s', (attributes, expected) => expect(fetches('script', { ...attributes, src: 'x' })[0]?.isDeferred).toBe(expected));
});
