import type { Duplex } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/src/names/address.ts';
import { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';
import { ANY_LINK, LOOPBACK, namesBy } from '../testing/loopback.ts';
import { RawServer } from '../testing/rawServer.ts';
import { SocketOpener } from './socketOpener.ts';

/** Where nothing listens. */
const DEAD: Address = { address: '127.0.0.2', family: 4 };

let server: RawServer;
let dns: PromiseWithResolvers<readonly Address[]>;
/** What the names have heard. */
let heard: (Address | 'moved' | 'forgotten')[];
const opened: Duplex[] = [];

beforeEach(async () => {
  server = await RawServer.start(() => undefined);
  [dns, heard] = [Promise.withResolvers(), []];
});
afterEach(async () => {
  for (const socket of opened.splice(0)) socket.destroy();
  await server.close();
});

/** Opens a connection to the server, which is likely to be there; the DNS answers later. */
async function open(likely: Address, isPublic = true): Promise<Duplex> {
  const names = { ...namesBy(() => dns.promise), likely: () => likely, reached: (_: string, address: Address) => void heard.push(address), moved: () => void heard.push('moved'), forget: () => void heard.push('forgotten') };
  const socket = await new SocketOpener(names, ANY_LINK, new TlsStarter(null), () => isPublic).open('a.test', server.port);
  opened.push(socket);
  return socket;
}

describe('while the DNS is asked, the address of the last time is connected to (ADR 91)', () => {
  it('and used when the DNS says it again; nothing is sent before', async () => {
    const opening = open(LOOPBACK);
    await expect.poll(() => server.openCount).toBe(1);
    dns.resolve([DEAD, LOOPBACK]);
    (await opening).write('GET / HTTP/1.1\r\n\r\n');
    await expect.poll(() => server.received).toEqual(['GET / HTTP/1.1\r\n\r\n']);
    expect(heard).toEqual([LOOPBACK]);
  });

  it.each<[string, (says: typeof dns) => void, string, string]>([
    ['says others', (says) => says.resolve([DEAD]), 'E_CONNECT', 'forgotten'],
    ['knows none', (says) => says.reject(Object.assign(new Error(), { code: 'E_NAME' })), 'E_NAME', 'moved'],
  ])('and given up, with nothing sent, when the DNS %s', async (_, say, code, what) => {
    const opening = open(LOOPBACK);
    await expect.poll(() => server.openCount).toBe(1);
    say(dns);
    await expect(opening).rejects.toMatchObject({ code });
    await expect.poll(() => server.openCount).toBe(0);
    expect([server.received, heard]).toEqual([[''], [what]]);
  });

  it('and tried again when the server has ended it meanwhile', async () => {
    const opening = open(LOOPBACK);
    await expect.poll(() => server.openCount).toBe(1);
    server.end(0);
    await expect.poll(() => server.openCount).toBe(0);
    dns.resolve([LOOPBACK]);
    (await opening).write('x');
    await expect.poll(() => server.received).toEqual(['', 'x']);
  });

  it('and another one taken when it refuses', async () => {
    const opening = open(DEAD);
    dns.resolve([LOOPBACK, DEAD]);
    await opening;
    expect(heard).toEqual([LOOPBACK]);
  });

  it('unless it is not on the public web', async () => {
    const opening = open(LOOPBACK, false);
    dns.resolve([LOOPBACK]);
    await expect(opening).rejects.toMatchObject({ code: 'E_ADDRESS' });
    expect(server.received).toEqual([]);
  });
});
