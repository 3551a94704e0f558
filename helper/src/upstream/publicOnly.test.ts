import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { Address } from '../../../shared/src/names/address.ts';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { ANY_LINK, LOOPBACK, namesBy } from '../testing/loopback.ts';
import { RawServer } from '../testing/rawServer.ts';
import { requestTo, sinkOf, testUpstream } from '../testing/testUpstream.ts';
import { DirectConnection } from './directConnection.ts';
import type { Fetch } from './fetch.ts';
import { SocketOpener } from './socketOpener.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import type { Upstream } from './upstream.ts';

const DEVICE: Address = { address: '127.0.0.2', family: 4 };
const LAN: Address = { address: '10.0.0.1', family: 4 };
const REFUSED = 'E_ADDRESS false';

let server: RawServer;
let upstream: Upstream;
let sockets: SocketOpener;
/** What the DNS says now. */
let hosts: Record<string, readonly Address[]>;

/** The server is on the web here, for once. */
function isPublic(address: string): boolean {
  return address === LOOPBACK.address || isPublicAddress(address);
}

beforeEach(async () => {
  hosts = { 'web.test': [LOOPBACK], 'device.test': [DEVICE], 'lan.test': [LAN], 'both.test': [LOOPBACK, DEVICE] };
  server = await RawServer.start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
  sockets = new SocketOpener(namesBy((host) => Promise.resolve(hosts[host] ?? [])), ANY_LINK, new TlsStarter(null), isPublic);
  upstream = testUpstream(async (origin, id, onClosed) => new DirectConnection(id, origin, await sockets.openFor(origin), onClosed));
});
afterEach(async () => {
  upstream.close();
  await server.close();
});

/** Asks for something on the server. @returns its body, or the code of the error and whether the server may have got it */
function ask(host: string, isForeseen = false, then?: (fetch: Fetch) => void): Promise<string> {
  const origin = `http://${host}:${server.port}`;
  return new Promise((resolve) => {
    let body = '';
    const fetch = upstream.fetch(requestTo(origin, { isForeseen }), sinkOf({ data: (chunk) => ((body += chunk.toString()), null), ended: () => resolve(body), failed: ({ code }, wasSent) => resolve(`${code} ${wasSent}`) }));
    then?.(fetch);
  });
}

describe('the helper connects to the public web alone', () => {
  it.each(['device.test', 'lan.test', 'both.test'])('not to %s, whoever asks and for what', async (host) => {
    const awaited = ask(host, true, (fetch) => fetch.await(FetchClass.inView, null));
    expect(await Promise.all([ask(host), ask(host, true), awaited])).toEqual([REFUSED, REFUSED, REFUSED]);
    await expect(upstream.prepare(`http://${host}:${server.port}`)).rejects.toMatchObject({ code: 'E_ADDRESS' });
    await expect(sockets.open(host, server.port)).rejects.toMatchObject({ code: 'E_ADDRESS' });
    expect(server.received).toEqual([]);
  });

  it('what the browser asks for and what is foreseen goes to the web', async () => {
    expect([await ask('web.test'), await ask('web.test', true)]).toEqual(['ok', 'ok']);
  });

  it('a name that leads elsewhere later (rebinding) leads there neither by a kept connection nor by a new one', async () => {
    expect(await ask('web.test')).toBe('ok');
    hosts['web.test'] = [DEVICE];
    // the server of the web is still at the other end
    expect(await ask('web.test')).toBe('ok');
    upstream.networkChanged(() => false);
    expect([await ask('web.test'), await ask('web.test', true)]).toEqual([REFUSED, REFUSED]);
    expect(server.received).toHaveLength(1);
  });
});
