import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../../shared/src/names/address.ts';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { TestServer } from '../testing/testServer.ts';
import { ServerOpener } from './openServer.ts';

const NEVER = new AbortController().signal;
const v4 = (address: string): Address => ({ address, family: 4 });
const loopback = (address: string): boolean => address.startsWith('127.');

/** Answers each question with the next of these; the last one stays. */
function resolverOf(...answers: readonly (readonly Address[])[]): { readonly resolver: HostResolver; readonly asked: () => number } {
  let asked = 0;
  const ask = (): Promise<{ addresses: readonly Address[]; ttlSeconds: number }> => Promise.resolve({ addresses: answers[Math.min(asked++, answers.length - 1)] ?? [], ttlSeconds: 0 });
  return { resolver: new HostResolver({ hosts: () => new Map(), ask, lookup: () => Promise.reject(new Error('no lookup')), looksFurther: () => true, now: () => 0 }), asked: () => asked };
}

let server: TestServer;
beforeEach(async () => {
  server = await TestServer.start();
});
afterEach(() => server.close());

describe('a connection to a server', () => {
  it('goes to the next address when one refuses', async () => {
    const opener = new ServerOpener({ resolver: resolverOf([v4('127.0.0.3'), v4('127.0.0.2')]).resolver, isPublic: loopback });
    const { socket } = await opener.open({ host: 'a.test', port: server.port }, NEVER);
    expect(socket.remoteAddress).toBe('127.0.0.2');
    socket.destroy();
  });

  it.each([
    ['127.0.0.1'], ['0.0.0.0'], ['10.0.0.1'], ['172.16.0.1'], ['192.168.1.1'], ['169.254.169.254'], ['168.63.129.16'], ['100.64.0.1'], ['[::1]'], ['[::]'], ['[::ffff:127.0.0.1]'], ['[::ffff:7f00:1]'],
    ['[fe80::1]'], ['[fd00::1]'], ['[64:ff9b::7f00:1]'], ['[2002:7f00:1::]'],
  ])('is refused to the address %s', async (host) => {
    const opener = new ServerOpener({ resolver: resolverOf([]).resolver, isPublic: isPublicAddress });
    await expect(opener.open({ host, port: server.port }, NEVER)).rejects.toMatchObject({ code: 'E_ADDRESS' });
  });

  it('is refused to a name of which any address is private, whatever else it has', async () => {
    const opener = new ServerOpener({ resolver: resolverOf([v4('127.0.0.2'), v4('10.0.0.1')]).resolver, isPublic: (address) => address === '127.0.0.2' });
    await expect(opener.open({ host: 'a.test', port: server.port }, NEVER)).rejects.toMatchObject({ code: 'E_ADDRESS' });
    expect(server.sockets).toEqual([]);
  });

  it('costs little of a name that has thousands of addresses', async () => {
    const judged: string[] = [];
    const addresses = Array.from({ length: 4_000 }, (_, n) => v4(`127.1.${n >> 8}.${n & 255}`));
    const opener = new ServerOpener({ resolver: resolverOf(addresses).resolver, isPublic: (address) => judged.push(address) > 0 });
    await expect(opener.open({ host: 'a.test', port: server.port }, NEVER)).rejects.toMatchObject({ code: 'E_CONNECT' });
    expect(judged.length).toBeLessThan(100);
  });

  it('goes to the address that was judged: a name that means another one at the next question is asked once', async () => {
    const { resolver, asked } = resolverOf([v4('127.0.0.2')], [v4('127.0.0.1')]);
    const opener = new ServerOpener({ resolver, isPublic: (address) => address === '127.0.0.2' });
    const { socket } = await opener.open({ host: 'a.test', port: server.port }, NEVER);
    expect([socket.remoteAddress, asked()]).toEqual(['127.0.0.2', 1]);
    socket.destroy();
  });

  it.each([25, 465, 587, 22, 6667])('is refused to port %s, which is not of the web', async (port) => {
    const { resolver, asked } = resolverOf([v4('127.0.0.2')]);
    await expect(new ServerOpener({ resolver, isPublic: loopback }).open({ host: 'a.test', port }, NEVER)).rejects.toMatchObject({ code: 'E_ADDRESS' });
    expect(asked()).toBe(0);
  });

  it('is waited for no longer than the limit, nor when nobody wants it', async () => {
    const silent = { resolve: () => new Promise<never>(() => undefined), forget: () => undefined };
    const opener = new ServerOpener({ resolver: silent, isPublic: loopback }, 50);
    await expect(opener.open({ host: 'a.test', port: 443 }, NEVER)).rejects.toMatchObject({ code: 'E_CONNECT' });
    await expect(opener.open({ host: 'a.test', port: 443 }, AbortSignal.abort())).rejects.toMatchObject({ code: 'E_CONNECT' });
  });

  it('asks for a name anew when its addresses do not answer', async () => {
    const { resolver, asked } = resolverOf([v4('127.0.0.3')], [v4('127.0.0.2')]);
    const opener = new ServerOpener({ resolver, isPublic: loopback });
    await expect(opener.open({ host: 'a.test', port: server.port }, NEVER)).rejects.toMatchObject({ code: 'E_CONNECT' });
    (await opener.open({ host: 'a.test', port: server.port }, NEVER)).socket.destroy();
    expect(asked()).toBe(2);
  });
});
