import { describe, expect, it } from 'vitest';
import { pointedLink, type DocumentFacts, type LinkFacts } from './pointedLink.ts';

const PAGE: DocumentFacts = { url: 'https://a.test/list#top', referrerPolicies: [], hasSpeculationRules: false };
const LINK: LinkFacts = { href: 'https://a.test/next#part', target: '', rel: '', referrerPolicy: '', isDownload: false, role: null };

it('is told without fragments, and as likely only when the pointer says so', () => {
  expect(pointedLink(LINK, PAGE, true)).toEqual({ page: 'https://a.test/list', url: 'https://a.test/next', isLikely: true, referrerPolicy: null });
  expect(pointedLink(LINK, PAGE, false)).toMatchObject({ isLikely: false });
});

it.each([
  ['to a place in the page', 'https://a.test/list#bottom'],
  ['to an application', 'mailto:a@a.test'],
  ['that is a script', 'javascript:void 0'],
  ['to a file of the machine', 'file:///etc/passwd'],
  ['that is too long to be told', `https://a.test/${'x'.repeat(8192)}`],
  ['without a URL that means anything', ''],
])('nothing is told of a link %s', (_, href) => expect(pointedLink({ ...LINK, href }, PAGE, true)).toBeNull());

it.each<[string, Partial<LinkFacts>, Partial<DocumentFacts>]>([
  ['for a download', { isDownload: true }, {}],
  ['into a frame', { target: 'content' }, {}],
  ['that nobody but a person should follow', { rel: 'external NOFOLLOW' }, {}],
  ['that is a button', { role: 'button' }, {}],
  ['of a page that has rules of its own', {}, { hasSpeculationRules: true }],
  ['of a page whose referrer policy is unclear', {}, { referrerPolicies: ['origin', 'no-referrer'] }],
  ['of a page whose referrer policy is none', {}, { referrerPolicies: ['new'] }],
])('only a connection is worth its while for a link %s', (_, link, page) => {
  expect(pointedLink({ ...LINK, ...link }, { ...PAGE, ...page }, true)).toMatchObject({ url: 'https://a.test/next', isLikely: false });
});

describe('the referrer policy', () => {
  it.each<[string, Partial<LinkFacts>, readonly string[], string | null]>([
    ['of neither', {}, [], null],
    ['of the document', {}, [' Origin '], 'origin'],
    ['of the link, before that of the document', { referrerPolicy: 'unsafe-url' }, ['origin'], 'unsafe-url'],
    ['of a link that says so by its relation', { rel: 'noopener noreferrer', referrerPolicy: 'unsafe-url' }, ['origin'], 'no-referrer'],
    ['of the document, by its former name', {}, ['always'], 'unsafe-url'],
    ['of a link, whatever its document says', { referrerPolicy: 'origin' }, ['new'], 'origin'],
  ])('is that %s', (_, link, referrerPolicies, expected) => expect(pointedLink({ ...LINK, ...link }, { ...PAGE, referrerPolicies }, true)).toMatchObject({ isLikely: true, referrerPolicy: expected }));

  it.each(['', '_self', '_blank', '_TOP'])('is told of a link that opens in window %j', (target) => expect(pointedLink({ ...LINK, target }, PAGE, true)).toMatchObject({ isLikely: true }));
});
