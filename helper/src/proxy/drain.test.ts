import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { startTestService } from '../testing/testService.ts';
import { basicAuthorization } from './credentials.ts';
import type { ProxyService } from './proxyService.ts';

const HEAD = 'HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n';
const NEVER = { silentMs: 60_000, longestMs: 60_000 };

let service: ProxyService;
let server: RawServer;
/** The server's side of each request, in the order of their coming. */
let asked: Socket[];

beforeEach(async () => {
  asked = [];
  server = await RawServer.start((socket) => asked.push(socket));
  service = await startTestService();
});
afterEach(async () => {
  await service.close();
  await server.close();
});

/** A connection of the browser, and all that has come on it. */
class Browser {
  readonly socket = connect(service.port, '127.0.0.1');
  came = '';
  isClosed = false;

  constructor(request = '') {
    this.socket.on('data', (chunk) => (this.came += String(chunk)));
    this.socket.on('error', () => undefined);
    this.socket.once('close', () => (this.isClosed = true));
    if (request !== '') this.ask(request);
  }

  ask(request: string): void {
    this.socket.write(`${request} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
  }
}

/** Whether it has settled, for a poll. */
function follow(draining: Promise<void>): () => boolean {
  let isOver = false;
  void draining.then(() => (isOver = true));
  return () => isOver;
}

describe('a proxy that drains', () => {
  it('closes what the browser has kept at once, and what it has opened ahead a moment later', async () => {
    const kept = new Browser(`GET ${server.origin}/`);
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.write(`${HEAD}0123456789`);
    await expect.poll(() => kept.came).toContain('0123456789');
    const ahead = new Browser();
    await once(ahead.socket, 'connect');
    const draining = service.drain(NEVER);
    await expect.poll(() => kept.isClosed).toBe(true);
    await draining;
    await expect.poll(() => ahead.isClosed).toBe(true);
  });

  it('answers what comes on a connection that was new: a browser would not send it again', async () => {
    const browser = new Browser();
    const earlier = new Browser(`GET ${server.origin}/`);
    // accepted in turn
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.end(`${HEAD}0123456789`);
    await expect.poll(() => earlier.came).toContain('0123456789');
    const draining = service.drain(NEVER);
    await expect.poll(() => earlier.isClosed).toBe(true);
    browser.ask(`GET ${server.origin}/`);
    await expect.poll(() => asked.length).toBe(2);
    asked[1]?.write(`${HEAD}0123456789`);
    await expect.poll(() => browser.came).toMatch(/0123456789$/);
    await draining;
  });

  it('takes no connection, so that the browser goes by itself', async () => {
    const open = new Browser(`GET ${server.origin}/`);
    await expect.poll(() => asked.length).toBe(1);
    const draining = service.drain(NEVER);
    const [error] = (await once(connect(service.port, '127.0.0.1'), 'error')) as [NodeJS.ErrnoException];
    expect(error.code).toBe('ECONNREFUSED');
    open.socket.destroy();
    await draining;
  });

  it.each([
    ['not a byte', '', `${HEAD}0123456789`],
    ['a part', `${HEAD}01234`, '56789'],
  ])('passes on the whole of an answer of which %s has come, and then closes its connection', async (_, before, after) => {
    const browser = new Browser(`GET ${server.origin}/`);
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.write(before);
    await expect.poll(() => browser.came.endsWith(before.slice(-5))).toBe(true);
    const draining = service.drain(NEVER);
    const isOver = follow(draining);
    asked[0]?.write(after);
    await draining;
    expect(isOver()).toBe(true);
    await expect.poll(() => browser.isClosed).toBe(true);
    expect(browser.came).toMatch(/0123456789$/);
    expect(/^connection: close\r$/im.test(browser.came)).toBe(before === '');
  });

  it('answers a CONNECT that has come, and carries its tunnel to its end', async () => {
    const browser = new Browser(`CONNECT 127.0.0.1:${server.port}`);
    await expect.poll(() => browser.came).toContain('established');
    const draining = service.drain(NEVER);
    const isOver = follow(draining);
    browser.socket.write('ping\r\n\r\n');
    await expect.poll(() => asked.length).toBe(1);
    asked[0]?.write('pong');
    await expect.poll(() => browser.came).toMatch(/pong$/);
    expect(isOver()).toBe(false);
    browser.socket.destroy();
    await draining;
  });

  it('is over when the browser has ended a connection whose CONNECT was refused', async () => {
    const refused = new Browser('CONNECT nowhere.invalid:443');
    await expect.poll(() => refused.came).toContain('502');
    await expect.poll(() => refused.isClosed).toBe(true);
    await service.drain(NEVER);
  }, 20_000);

  it('ends a connection that is silent for too long, and no other', async () => {
    const silent = new Browser(`CONNECT 127.0.0.1:${server.port}`);
    const lively = new Browser(`CONNECT 127.0.0.1:${server.port}`);
    await expect.poll(() => silent.came + lively.came).toMatch(/established[^]*established/);
    const talking = setInterval(() => lively.socket.write('x'), 20);
    const draining = service.drain({ silentMs: 300, longestMs: 60_000 });
    await expect.poll(() => silent.isClosed).toBe(true);
    expect(lively.isClosed).toBe(false);
    clearInterval(talking);
    await draining;
  });

  it('is over after the longest time, whatever is under way', async () => {
    const endless = new Browser(`CONNECT 127.0.0.1:${server.port}`);
    await expect.poll(() => endless.came).toContain('established');
    await service.drain({ silentMs: 60_000, longestMs: 50 });
    expect(endless.isClosed).toBe(false);
    endless.socket.destroy();
  });
});
