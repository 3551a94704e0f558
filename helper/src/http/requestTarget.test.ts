import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { parseAbsoluteForm, parseAuthorityForm } from './requestTarget.ts';

describe('absolute form', () => {
  it.each([
    ['http://a.test/b?c=d', { host: 'a.test', port: 80, origin: 'http://a.test', path: '/b?c=d' }],
    ['http://a.test', { host: 'a.test', port: 80, origin: 'http://a.test', path: '/' }],
    ['http://a.test?q', { host: 'a.test', port: 80, origin: 'http://a.test', path: '/?q' }],
    ['HTTP://A.test:8080/x%2e/../y', { host: 'a.test', port: 8080, origin: 'http://a.test:8080', path: '/x%2e/../y' }],
    ['http://[::1]:81/', { host: '[::1]', port: 81, origin: 'http://[::1]:81', path: '/' }],
  ])('%s', (target, expected) => expect(parseAbsoluteForm(target)).toEqual(expected));

  it.each(['/', '*', 'a.test:80', 'https://a.test/', 'ftp://a.test/', 'http://', 'http://user:secret@a.test/', 'http://a.test:99999/', 'http://a b/'])('%s is refused', (target) => {
    expect(() => parseAbsoluteForm(target)).toThrow(expect.objectContaining({ code: 'E_PROXY_TARGET' }) as Error);
  });

  it('never throws anything else, and never tells what it was given', () => {
    fc.assert(
      fc.property(fc.string(), (rest) => {
        for (const parse of [parseAbsoluteForm, parseAuthorityForm]) {
          try {
            parse(`http://h/secret${rest}`);
          } catch (error) {
            expect(error).toBeInstanceOf(FirstscreenError);
            expect((error as Error).message).not.toContain('secret');
          }
        }
      }),
    );
  });
});

describe('authority form', () => {
  it.each([
    ['a.test:443', { host: 'a.test', port: 443 }],
    ['192.0.2.1:8443', { host: '192.0.2.1', port: 8443 }],
    ['[2001:db8::1]:443', { host: '[2001:db8::1]', port: 443 }],
  ])('%s', (target, expected) => expect(parseAuthorityForm(target)).toEqual(expected));

  it.each(['a.test', 'a.test:', ':443', 'a.test:0', 'a.test:65536', 'a.test:443/', 'user@a.test:443', '::1:443', 'http://a.test:443', ''])('"%s" is refused', (target) => {
    expect(() => parseAuthorityForm(target)).toThrow(expect.objectContaining({ code: 'E_PROXY_TARGET' }) as Error);
  });
});
