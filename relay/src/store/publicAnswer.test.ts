import { describe, expect, it } from 'vitest';
import { publicAnswer } from './publicAnswer.ts';

const ORIGIN = 'https://img.test';
const ASKED = ['referer', 'https://page.test/path?query', 'accept', 'image/*'];
const PUBLIC = ['content-type', 'image/png', 'cache-control', 'public, max-age=60'];
const judge = (fields: string[], answer: readonly string[], method = 'GET', status = 200) => publicAnswer({ method, origin: ORIGIN, fields }, status, answer);

describe('work for an answer serves others', () => {
  it.each<[string, readonly string[]]>([
    ['public', PUBLIC],
    ['for so long', ['cache-control', 'max-age=60']],
    ['in shared caches', ['Cache-Control', 'S-MaxAge=60']],
    ['until a day', ['date', 'Thu, 26 Nov 2026 12:00:00 GMT', 'expires', 'Fri, 27 Nov 2026 12:00:00 GMT']],
  ])('on pages of the same origin where its server says that it may be kept (%s)', (_, answer) => expect(judge(ASKED, answer)).toEqual({ page: 'https://page.test', origin: ORIGIN }));
});

describe('work for an answer serves nobody else', () => {
  it.each<[string, string[], readonly string[]]>([
    ['a request with cookies', [...ASKED, 'Cookie', 'a=b'], PUBLIC],
    ['a request with credentials', [...ASKED, 'authorization', 'Basic x'], PUBLIC],
    ['an answer with cookies', ASKED, [...PUBLIC, 'Set-Cookie', 'a=b']],
    ['a private answer', ASKED, ['cache-control', 'private, max-age=60']],
    ['an answer that is not to be kept', ASKED, ['cache-control', 'public, no-store, max-age=60']],
    ['an answer that is to be asked for each time', ASKED, ['cache-control', 'public, no-cache']],
    ['an answer of which its server has said nothing', ASKED, ['last-modified', 'Thu, 01 Jan 2026 12:00:00 GMT']],
    ['an answer that depends on everything', ASKED, [...PUBLIC, 'vary', '*']],
    ['a request of no page that is known', ['accept', 'image/*'], PUBLIC],
    ['a request of two pages', [...ASKED, ...ASKED], PUBLIC],
    ['a page that is none of the web', ['referer', 'about:blank'], PUBLIC],
  ])('%s', (_, fields, answer) => expect(judge(fields, answer)).toBeNull());

  it('a request that changes something, an answer that is none', () => expect([judge(ASKED, PUBLIC, 'POST'), judge(ASKED, PUBLIC, 'GET', 500)]).toEqual([null, null]));
});
