import { afterEach, beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { NOTHING_EXPECTED, type SeenObject } from '../../../shared/src/memory/neededObject.ts';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { LogEntry } from '../../../shared/src/log.ts';
import { ALL_PARTS } from '../parts.ts';
import { RawServer } from '../testing/rawServer.ts';
import { testAuthority } from '../testing/testAuthority.ts';
import { ObjectRanks } from '../prediction/objectRanks.ts';
import { HostProxy, type HostProxyOptions } from './hostProxy.ts';
import { LeaveQuestions } from './leaveQuestions.ts';

const WANTED = { mayRemember: false, profile: 'p' };
let directory: string;
let log: LogEntry[];
let proxy: HostProxy;

beforeEach(() => {
  directory = temporaryDirectory();
  log = [];
});
afterEach(async () => {
  await proxy.close();
});

function make(options: Partial<HostProxyOptions> = {}): HostProxy {
  proxy = new HostProxy({
    parts: ALL_PARTS, isPublic: () => true, ranks: new ObjectRanks(), questions: new LeaveQuestions(() => undefined), spoolDirectory: directory, linkChanged: () => undefined, expected: () => NOTHING_EXPECTED, addressOf: () => null, ownProxy: () => Promise.resolve(null), trust: () => null, relay: () => null, log: (entry) => log.push(entry), ...options,
  });
  return proxy;
}

it('gives the same proxy each time', async () => {
  make();
  const first = await proxy.start(WANTED);
  expect(await proxy.start({ mayRemember: true, profile: 'p' })).toEqual(first);
});

it('without a proxy has seen no server asked: only remembered ones stay', () => {
  const visit = { url: 'https://a.test/', asked: 'https://a.test/', objects: [], origins: ['https://a.test', 'https://blocked.test'] };
  expect(make().withObserved(visit, { objects: [], origins: ['https://a.test'] }).origins).toEqual(['https://a.test']);
});

it('starts none beside that of the user, and tries again when it is asked again', async () => {
  let own: string | null = "the environment's http_proxy";
  make({ ownProxy: () => Promise.resolve(own) });
  await expect(proxy.start(WANTED)).rejects.toMatchObject({ code: 'E_PROXY_IN_USE' });
  own = null;
  expect((await proxy.start(WANTED)).port).toBeGreaterThan(0);
});

it('intercepts only with an authority that can be read', async () => {
  make({
    trust: () => {
      throw new FirstscreenError('E_AUTHORITY', 'not used', 'trust');
    },
  });
  expect(await proxy.start(WANTED)).toMatchObject({ canIntercept: false });
  expect(log.map(({ fields }) => fields?.['code'])).toContain('E_AUTHORITY');
});

it('tells of an authority that was made since it has started, and of none that was taken back', async () => {
  const authority = await testAuthority();
  let isMade = false;
  make({ trust: () => (isMade ? { authority, isExcluded: () => false, serverAuthorities: null, warnings: [] } : null) });
  const first = await proxy.start(WANTED);
  expect(first.canIntercept).toBe(false);
  isMade = true;
  expect(await proxy.start(WANTED)).toEqual({ ...first, canIntercept: true });
  isMade = false;
  expect(await proxy.start(WANTED)).toEqual(first);
});

it('tells of lines of the list of exclusions that are not used', async () => {
  const authority = await testAuthority();
  make({ trust: () => ({ authority, isExcluded: () => false, serverAuthorities: null, warnings: [new FirstscreenError('E_EXCLUDED_HOSTS', 'Line 2', 'mend it')] }) });
  expect(await proxy.start(WANTED)).toMatchObject({ canIntercept: true });
  expect(log.map(({ fields }) => fields?.['code'])).toContain('E_EXCLUDED_HOSTS');
});

it('keeps hosts closed that were named before there was a proxy, and those that are named later instead', async () => {
  const authority = await testAuthority();
  make({ trust: () => ({ authority, isExcluded: () => false, serverAuthorities: null, warnings: [] }) });
  const urls = ['https://img.a.test/1', 'https://b.test/2'];
  const objects = urls.map((url): SeenObject => ({ url, kind: 'image', bytes: 1, cached: null, isNamed: false, request: { referrer: null, site: null, isCors: false, hasCookies: false } }));
  const visit = { url: 'https://page.test/', asked: 'https://page.test/', objects: objects.map(({ url, kind }) => ({ url, kind })), origins: [] };
  const readable = (): string[] => proxy.withObserved(visit, { objects, origins: [] }).objects.map(({ url }) => url);
  proxy.tunnelOnly(['a.test']);
  await proxy.start(WANTED);
  expect(readable()).toEqual(['https://b.test/2']);
  proxy.tunnelOnly(['b.test']);
  expect(readable()).toEqual(['https://img.a.test/1']);
  proxy.tunnelOnly([]);
  expect(readable()).toEqual(urls);
});

it.each([[true, 1], [false, 0]])('prepares for a page that is on its way only if it may remember (%s)', async (mayRemember, connections) => {
  const server = await RawServer.start(() => undefined);
  const asked: string[] = [];
  make({
    expected: (url) => {
      asked.push(url);
      return { ...NOTHING_EXPECTED, origins: [`https://127.0.0.1:${server.port}`] };
    },
  });
  proxy.navigating('https://127.0.0.1/');
  await proxy.start({ ...WANTED, mayRemember });
  proxy.navigating('https://127.0.0.1/');
  await expect.poll(() => server.openCount).toBe(connections);
  expect(asked).toHaveLength(connections);
  await proxy.close();
  await server.close();
});
