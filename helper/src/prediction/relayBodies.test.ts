import { beforeEach, describe, expect, it } from 'vitest';
import type { SeenObject } from '../../../shared/src/memory/neededObject.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { BodyStore } from '../relay/bodyStore.ts';
import { RelayBodies } from './relayBodies.ts';

const COOKIE = ['cookie', 'a=1'];
const URL_A = 'https://a.test/a';

let directory: string;
beforeEach(() => (directory = temporaryDirectory()));

const seen = (url: string, referrer: string | null = null): SeenObject => ({ url, kind: 'script', bytes: 4, cached: null, isNamed: true, request: { referrer, site: null, isCors: false, hasCookies: false } });

describe('RelayBodies', () => {
  it.each([
    ['of its own page', ['sec-fetch-site', 'same-origin', ...COOKIE], true],
    ['that a user has typed in', ['sec-fetch-site', 'none', ...COOKIE], true],
    ['that everybody is given', ['sec-fetch-site', 'cross-site'], true],
    ['that another site asks for with cookies', ['sec-fetch-site', 'cross-site', ...COOKIE], false],
    ['that another site asks for with a password', ['sec-fetch-site', 'cross-site', 'authorization', 'Basic x'], false],
    ['in clear, that another site asks for with cookies', ['referer', 'http://b.test/', ...COOKIE], false],
    ['of a page that another one links to', ['sec-fetch-site', 'cross-site', 'sec-fetch-dest', 'document', 'upgrade-insecure-requests', '1', 'accept', 'text/html', ...COOKIE], true],
    ['of a frame in another site', ['sec-fetch-site', 'cross-site', 'sec-fetch-dest', 'iframe', 'upgrade-insecure-requests', '1', 'accept', 'text/html', ...COOKIE], false],
  ])('an answer %s', async (_, request, isUsed) => {
    const bodies = new RelayBodies(new BodyStore(directory), () => true);
    bodies.received(URL_A, request, Buffer.from('body'));
    await bodies.keep('https://a.test/', [seen(URL_A, request[0] === 'referer' ? 'http://b.test/' : null)]);
    expect(bodies.find(URL_A, request).length).toBe(isUsed ? 1 : 0);
  });

  it('tell nothing of what was kept, and keep nothing, while that is not allowed', async () => {
    let mayRemember = true;
    const [other, own] = ['https://a.test/b', ['sec-fetch-site', 'same-origin']];
    const bodies = new RelayBodies(new BodyStore(directory), () => mayRemember);
    const told = (): unknown => [bodies.find(URL_A, own).length, bodies.have('https://a.test/').length, bodies.name() === null];
    bodies.received(URL_A, own, Buffer.from('body'));
    await bodies.keep('https://a.test/', [seen(URL_A)]);
    expect(told()).toEqual([1, 1, false]);
    mayRemember = false;
    expect(told()).toEqual([0, 0, true]);
    bodies.received(other, own, Buffer.from('other'));
    mayRemember = true;
    await bodies.keep('https://a.test/', [seen(URL_A), seen(other)]);
    expect([told(), bodies.find(other, own)]).toEqual([[1, 1, false], []]);
  });
});
