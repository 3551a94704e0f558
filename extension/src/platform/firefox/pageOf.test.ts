import { expect, it } from 'vitest';
import { pageOf } from './pageOf.ts';

const PAGE = 'https://page.test/';
const FRAME = 'https://frame.test/';

it.each<[string, Partial<FirefoxProxyRequest>, string | null]>([
  ['of the page itself', { type: 'main_frame', url: PAGE }, PAGE],
  ['in the page', { documentUrl: PAGE }, PAGE],
  ['of a frame', { type: 'sub_frame', frameId: 7, documentUrl: PAGE, frameAncestors: [{ url: PAGE, frameId: 0 }] }, PAGE],
  ['in a frame', { frameId: 7, documentUrl: FRAME, frameAncestors: [{ url: PAGE, frameId: 0 }] }, PAGE],
  ['in a frame of a frame', { frameId: 8, documentUrl: FRAME, frameAncestors: [{ url: FRAME, frameId: 7 }, { url: PAGE, frameId: 0 }] }, PAGE],
  ['in a frame, of whose page nothing is told', { frameId: 7, documentUrl: FRAME }, null],
  ['of nobody', {}, null],
])('a request %s', (_, details, expected) => expect(pageOf({ type: 'image', url: 'https://images.test/a.png', frameId: 0, ...details })).toBe(expected));
