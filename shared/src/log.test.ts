import fc from 'fast-check';
import { expect, it } from 'vitest';
import { redactUrls } from './log.ts';

it.each([
  ['https://a.example/p?token=1', 'https://a.example/p?…'],
  ['GET https://a.example/p?token=1 failed', 'GET https://a.example/p?… failed'],
  ['https://user:secret@a.example/p', 'https://a.example/p'],
  ['wss://user@a.example/#state', 'wss://a.example/#…'],
  ['{"url":"https://a.example/?q=a b"}', '{"url":"https://a.example/?… b"}'],
  ['/p?token=1', '/p?…'],
  ['nothing to hide: a@b.example, 50 %, really? yes', 'nothing to hide: a@b.example, 50 %, really? yes'],
])('redacts %s', (text, redacted) => {
  expect(redactUrls(text)).toBe(redacted);
});

it('lets no query of a URL through, wherever the URL stands', () => {
  fc.assert(
    fc.property(fc.string(), fc.webUrl({ withQueryParameters: false }), fc.string(), (before, url, after) => !redactUrls(`${before} ${url}?key=SECRETVALUE ${after}`).includes('SECRETVALUE')),
  );
});

it('leaves redacted text as it is', () => {
  fc.assert(fc.property(fc.oneof(fc.string(), fc.webUrl({ withQueryParameters: true, withFragments: true })), (text) => redactUrls(redactUrls(text)) === redactUrls(text)));
});
