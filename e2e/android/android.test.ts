import { expect, it } from 'vitest';
import { startAndroidFirefox } from './androidFirefox.ts';

const STATUS = { type: 'status', tabId: -1 };
const RELAY = { relay: true, relayLink: `firstscreen-relay://phone:${'t'.repeat(43)}@relay.example.com:8443` };
const PAGE = { requestId: '1', url: 'https://news.example/', tabId: 1, frameId: 0, type: 'main_frame' };

it('starts where Firefox has no helpers, history, windows or settings of a proxy, holds images, and says that there is no helper for the device', async () => {
  const firefox = startAndroidFirefox();
  expect(await firefox.ask(STATUS)).toMatchObject({ hasGate: true, helper: 'notHere', memory: 'notHere', nextPage: 'notHere', connections: 'notHere', relay: 'none', driver: null });
  expect(firefox.routeFilters()).toEqual([{ urls: ['http://*/*', 'https://*/*'], types: ['image', 'imageset'] }]);
  expect(await firefox.routeOf(PAGE)).toBeUndefined();
  expect(firefox.fetched).toEqual([]);
});

it('looks for no helper when somebody wants it to, and has nothing to say of what one would remember', async () => {
  const firefox = startAndroidFirefox({ remember: true, connections: true, nextPage: true });
  expect([await firefox.ask({ type: 'look' }), await firefox.ask({ type: 'remembered' })]).toEqual([null, null]);
  expect(await firefox.ask(STATUS)).toMatchObject({ helper: 'notHere', connections: 'notHere' });
});

it('sends encrypted requests by the relay of the user, as an HTTPS proxy, once that has answered', async () => {
  const firefox = startAndroidFirefox(RELAY);
  await expect.poll(() => firefox.ask(STATUS)).toMatchObject({ relay: 'inUse' });
  expect(firefox.fetched).toEqual(['https://relay.example.com:8443/']);
  expect(await firefox.routeOf(PAGE)).toMatchObject([{ type: 'https', host: 'relay.example.com', port: 8443 }, { type: 'direct' }]);
  expect(await firefox.routeOf({ ...PAGE, url: 'http://news.example/' })).toBeUndefined();
});

it('goes directly where the relay does not let it in', async () => {
  const firefox = startAndroidFirefox(RELAY, 407);
  await expect.poll(() => firefox.ask(STATUS)).toMatchObject({ relay: 'silent' });
  expect(await firefox.routeOf(PAGE)).toBeUndefined();
});
