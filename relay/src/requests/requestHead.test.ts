import fc from 'fast-check';
import { expect, it } from 'vitest';
import { requestHeadOf } from './requestHead.ts';

const head = (changes: Readonly<Record<string, string>> = {}, rest: readonly string[] = []): readonly string[] => [
  ...Object.entries({ ':method': 'GET', ':scheme': 'https', ':authority': 'a.test', ':path': '/p?q', ...changes }).flat(), ...rest,
];

it('a request with its fields and its level', () => {
  expect(requestHeadOf(head({}, ['firstscreen-level', '4', 'firstscreen-push', 'all', 'firstscreen-have', 'abcdefgh', 'firstscreen-encode', 'images, what-is-new', 'firstscreen-rate', '1600', 'accept', '*/*', 'host', 'other.test', 'connection', 'x-hop', 'x-hop', '1', 'cookie', 'a', 'cookie', 'b']))).toEqual({
    method: 'GET', origin: 'https://a.test', path: '/p?q', level: 4, urgency: 1, fields: ['host', 'a.test', 'accept', '*/*', 'cookie', 'a', 'cookie', 'b'], encodings: new Set(['images']), rate: 1600, dictionaries: [], have: new Set(['abcdefgh']),
  });
});

it.each([['', 2], ['10', 2], ['-1', 2], ['1.5', 2], ['0', 0]])('level %j is %i', (text, level) => {
  expect(requestHeadOf(head({}, ['firstscreen-level', text]))?.level).toBe(level);
});

it.each([['', null], ['0', null], ['1.5', null], ['-1', null], ['1e99', null], ['64', 64]])('rate %j is %j', (text, rate) => {
  expect(requestHeadOf(head({}, ['firstscreen-rate', text]))?.rate).toBe(rate);
});

it.each([
  [{ ':authority': 'A.test:443' }, 'https://a.test'],
  [{ ':authority': '[::1]:8443' }, 'https://[::1]:8443'],
  [{ ':scheme': 'http', ':authority': 'a.test:80' }, 'http://a.test'],
])('%j is asked of %s', (changes, origin) => expect(requestHeadOf(head(changes))?.origin).toBe(origin));

it.each([
  { ':method': 'CONNECT' }, { ':method': 'GE T' }, { ':method': '' }, { ':scheme': 'ftp' }, { ':scheme': 'HTTPS' }, { ':authority': '' }, { ':authority': 'user:word@a.test' },
  { ':authority': 'a.test:99999' }, { ':authority': 'a.test/x' }, { ':authority': 'a%2e.test' }, { ':path': '' }, { ':path': 'x' }, { ':path': '*' },
])('%j is none', (changes) => expect(requestHeadOf(head(changes))).toBeNull());

it('whatever is said, it is a request to a server or none', () => {
  fc.assert(
    fc.property(fc.array(fc.string(), { maxLength: 12 }), fc.string(), (rest, authority) => {
      const found = requestHeadOf(head({ ':authority': authority }, rest));
      if (found !== null) expect(new URL(found.origin).origin).toBe(found.origin);
    }),
  );
});
