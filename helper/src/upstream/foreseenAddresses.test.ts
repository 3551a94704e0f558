import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { INITIAL_LINK } from '../../../shared/src/estimation/link.ts';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { FetchScheduler } from '../../../shared/src/fetching/fetchScheduler.ts';
import { fetchScheme } from '../../../shared/src/fetching/schemes.ts';
import type { Address } from '../names/address.ts';
import { RawServer } from '../testing/rawServer.ts';
import { ALL_PARTS } from '../parts.ts';
import { UpstreamConnection } from './connection.ts';
import type { Fetch } from './fetch.ts';
import { SocketOpener } from './socketOpener.ts';
import { TlsStarter, serverTrust } from './startTls.ts';
import { Upstream } from './upstream.ts';

const PUBLIC: Address = { address: '192.88.0.1', family: 4 };
const HERE: Address = { address: '127.0.0.1', family: 4 };
const LAN: Address = { address: '10.0.0.1', family: 4 };

let server: RawServer;
let upstream: Upstream;
let sockets: SocketOpener;
/** What the DNS says now. */
let hosts: Record<string, readonly Address[]>;

beforeEach(async () => {
  hosts = { 'web.test': [PUBLIC], 'device.test': [HERE], 'own.test': [HERE], 'lan.test': [LAN] };
  server = await RawServer.start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  const resolver = { resolve: (host: string) => Promise.resolve(hosts[host] ?? []), forget: () => undefined };
  sockets = new SocketOpener(resolver, { rttMs: () => 0, roundTrip: () => undefined }, new TlsStarter(() => serverTrust(null)));
  upstream = new Upstream({
    scheduler: new FetchScheduler(fetchScheme(ALL_PARTS, () => INITIAL_LINK)),
    open: async (origin, id, onClosed, options) => new UpstreamConnection(id, origin, await sockets.openFor(origin, options), onClosed),
    spaceOf: (origin) => sockets.spaceOf(origin),
    measured: () => undefined, tellsUrgency: false, log: () => undefined, now: () => performance.now(),
  });
});
afterEach(async () => {
  upstream.close();
  await server.close();
});

/**
 * Asks for something on the server. @returns its body, or the code of the error and whether the server may have got it
 */
function ask(host: string, foreseenFor: string | null, then?: (fetch: Fetch) => void): Promise<string> {
  const origin = `http://${host}:${server.port}`;
  return new Promise((resolve) => {
    let body = '';
    const fetch = upstream.fetch(
      { method: 'GET', origin, path: '/', headers: ['Host', host], body: null, browser: null, foreseenFor, fetchClass: FetchClass.inView, index: 0, bytes: 1_000 },
      { informed: () => undefined, started: () => undefined, data: (chunk) => ((body += chunk.toString()), null), ended: () => resolve(body), failed: ({ code }, wasSent) => resolve(`${code} ${wasSent}`) },
    );
    then?.(fetch);
  });
}

const REFUSED = 'E_ADDRESS false';

describe('what is foreseen for a page of the web', () => {
  it('goes to no device of this network, and nothing is connected', async () => {
    expect(await ask('device.test', 'http://web.test')).toBe(REFUSED);
    await expect(upstream.prepare(`http://device.test:${server.port}`, 'public')).rejects.toMatchObject({ code: 'E_ADDRESS' });
    await expect(sockets.open('device.test', server.port, { reach: 'public' })).rejects.toMatchObject({ code: 'E_ADDRESS' });
    expect(server.received).toEqual([]);
  });

  it('goes there neither on a connection that the browser has asked for', async () => {
    expect(await ask('device.test', null)).toBe('ok');
    expect(await ask('device.test', 'http://web.test')).toBe(REFUSED);
    expect(server.received.join('').match(/GET/g)).toHaveLength(1);
  });

  it('keeps no request of the browser from going there', async () => {
    expect(await Promise.all([ask('device.test', 'http://web.test'), ask('device.test', null)])).toContain('ok');
  });

  it('goes there when the browser asks itself', async () => {
    expect(await ask('device.test', 'http://web.test', (fetch) => fetch.await(FetchClass.inView))).toBe('ok');
  });

  it('goes there neither when the DNS tells of the host of the page, too, that it is here now (rebinding)', async () => {
    hosts['evil.test'] = [PUBLIC, HERE];
    expect(await sockets.spaceOf('http://evil.test')).toBe('public');
    hosts['evil.test'] = [HERE];
    // that is the browser's wish
    expect(await ask('evil.test', null)).toBe('ok');
    expect([await ask('device.test', 'http://evil.test'), await ask('evil.test', 'http://evil.test')]).toEqual([REFUSED, REFUSED]);
  });
});

it('what is foreseen for a page of this machine goes to this machine, for one of the local network not', async () => {
  expect(await ask('device.test', 'http://own.test')).toBe('ok');
  expect(await ask('device.test', 'http://lan.test')).toBe(REFUSED);
});

it('a page of which nothing can be found is public', async () => {
  expect(await ask('device.test', 'http://nowhere.test')).toBe(REFUSED);
});
