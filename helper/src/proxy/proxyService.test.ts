import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { NOTHING_EXPECTED } from '../../../shared/src/memory/neededObject.ts';
import type { RequestEvent } from '../../../shared/src/requests/requestEvent.ts';
import { requestWays } from '../../../shared/src/requests/requestWays.ts';
import { Recording } from '../../../shared/src/requests/recording.ts';
import { partsWithout } from '../parts.ts';
import { rangedAnswer, startRangedServer } from '../testing/rangedServer.ts';
import { RawServer } from '../testing/rawServer.ts';
import { startTestService } from '../testing/testService.ts';
import { basicAuthorization } from './credentials.ts';
import type { ProxyService } from './proxyService.ts';

describe('ProxyService', () => {
  it.each(['', 'prioritizing', 'reordering', 'connectionManagement', 'foresight', 'preemption', 'scavenger', 'windows', 'navigationConnections', 'namedConnections', 'lateScripts'])('without %j: answers on loopback, and ends with all its connections', async (off) => {
    const server = await RawServer.start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const service = await startTestService({ parts: partsWithout(off) });
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString()));
    await expect.poll(() => answer).toContain('\r\n\r\nok');
    const closed = once(socket, 'close');
    await service.close();
    await closed;
    await expect.poll(() => server.openCount).toBe(0);
    await server.close();
  });

  it.each([['', 1], ['rangeRepair', 0]] as const)('without %j: losses of a large body are the driver\'s to fill: %i', async (off, times) => {
    const body = Buffer.alloc(200_000, 'x');
    const file = { body, fields: 'ETag: "a"\r\n', validator: '"a"' };
    const asked: unknown[] = [];
    const refused = new FirstscreenError('E_DRIVER_REFUSED', 'no', 'go on');
    const rest: PromiseWithResolvers<void> = Promise.withResolvers();
    const driver = {
      canRepair: true,
      repair: (...flow: unknown[]) => {
        asked.push(flow);
        rest.resolve();
        return Promise.reject(refused);
      },
    };
    const server = await startRangedServer((request, socket) => {
      const { head, body: bytes } = rangedAnswer(request, file, true);
      if (request.range !== null || times === 0) return void socket.write(Buffer.concat([Buffer.from(head), bytes]));
      socket.write(Buffer.concat([Buffer.from(head), bytes.subarray(0, 1_000)]));
      // the rest comes when the driver was asked
      void rest.promise.then(() => socket.write(bytes.subarray(1_000)));
    });
    const service = await startTestService({ parts: partsWithout(off), driver });
    const socket = connect(service.port, '127.0.0.1');
    socket.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
    let answer = '';
    socket.on('data', (chunk) => (answer += chunk.toString('latin1')));
    await expect.poll(() => answer.slice(answer.indexOf('\r\n\r\n') + 4)).toHaveLength(body.length);
    const head = rangedAnswer({ connection: 0, range: null, ifRange: null }, file, true).head.length;
    expect(asked).toEqual(times === 0 ? [] : [[{ local: { address: '127.0.0.1', port: expect.any(Number) as number }, remote: { address: '127.0.0.1', port: server.port } }, head + body.length]]);
    socket.destroy();
    await service.close();
    await server.close();
  });

  it('tells the way of requests to who listens, from then on and no longer', async () => {
    const server = await RawServer.start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const recording = new Recording(() => performance.now());
    const service = await startTestService({ recording });
    const ask = async (path: string): Promise<void> => {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`GET ${server.origin}${path} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    };
    await ask('/before');
    const events: RequestEvent[] = [];
    const stop = recording.listen((event) => events.push(event));
    await ask('/listened');
    await expect.poll(() => events.some(({ type }) => type === 'end')).toBe(true);
    stop();
    await ask('/after');
    expect(requestWays(events).requests).toMatchObject([{ url: `${server.origin}/listened`, ending: 'whole', bytes: 2 }]);
    expect(events.filter((event) => 'url' in event && !event.url.endsWith('/listened'))).toEqual([]);
    await service.close();
    await server.close();
  });

  it.each([['prioritizing', false], ['', true]] as const)('without %j: a fourth handshake with a server waits: %s', async (off, waits) => {
    const server = await RawServer.start(() => undefined);
    const service = await startTestService({ parts: partsWithout(off) });
    // its patience does not end
    const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now());
    const sockets = [1, 2, 3, 4].map(() => connect(service.port, '127.0.0.1'));
    let answered = 0;
    for (const socket of sockets) {
      socket.once('data', () => (answered += 1));
      socket.write(`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
    }
    await expect.poll(() => [server.openCount, answered]).toEqual([4, waits ? 3 : 4]);
    clock.mockRestore();
    for (const socket of sockets) socket.destroy();
    await service.close();
    await server.close();
  });

  it('tells what handshakes say of the link, when that is news', async () => {
    const server = await RawServer.start(() => undefined);
    const told: number[] = [];
    const service = await startTestService({ linkChanged: ({ rttMs }) => told.push(rttMs) });
    for (const _ of [1, 2]) {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`CONNECT 127.0.0.1:${server.port} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
      await once(socket, 'data');
      socket.destroy();
    }
    await service.close();
    await server.close();
    expect(told[0]).toBeGreaterThan(0);
    expect(told).toEqual([...told].sort((a, b) => b - a));
  });

  describe('for a page that is on its way', () => {
    let server: RawServer;
    let service: ProxyService;

    beforeEach(async () => {
      server = await RawServer.start((socket, _, connection) => void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${connection}`));
      service = await startTestService();
    });
    afterEach(async () => {
      await service.close();
      await server.close();
    });

    /** Asks the proxy for something. @returns what comes on its connection from then on */
    async function ask(request: string): Promise<{ readonly socket: Socket; readonly answer: string }> {
      const socket = connect(service.port, '127.0.0.1');
      socket.write(`${request} HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(service.credentials)}\r\n\r\n`);
      return { socket, answer: String((await once(socket, 'data'))[0]) };
    }

    /** By which of the server's connections a tunnel goes. */
    async function connectionOfTunnel(): Promise<string | undefined> {
      const { socket } = await ask(`CONNECT 127.0.0.1:${server.port}`);
      socket.write('GET / HTTP/1.1\r\n\r\n');
      const answer = String((await once(socket, 'data'))[0]);
      socket.destroy();
      return answer.at(-1);
    }

    it.each([
      ['a tunnel to it', () => `CONNECT 127.0.0.1:${server.port}`, () => `https://127.0.0.1:${server.port}`],
      ['a tunnel to the usual port', () => 'CONNECT tracker.invalid:443', () => 'https://tracker.invalid'],
      ['a request', () => `GET ${server.origin}/site.css`, () => server.origin],
    ])('makes none later to a server that the page names, but for which the browser has not asked for %s', async (_, request, originOf) => {
      const visit = { url: 'http://page.test/', asked: 'http://page.test/', objects: [], origins: [originOf(), 'https://blocked.test'] };
      expect(service.withObserved(visit, NOTHING_EXPECTED).origins).toEqual([]);
      (await ask(request())).socket.destroy();
      expect(service.withObserved(visit, NOTHING_EXPECTED).origins).toEqual([originOf()]);
    });

    it('keeps a server that is remembered, as the page may have come from the cache', () => {
      const visit = { url: 'http://page.test/', asked: 'http://page.test/', objects: [], origins: ['https://cdn.test', 'https://blocked.test'] };
      expect(service.withObserved(visit, { objects: [], origins: ['https://cdn.test', 'https://old.test'] }).origins).toEqual(['https://cdn.test']);
    });

    it('closes what waits for requests when the next load is to be like a first visit', async () => {
      (await ask(`GET ${server.origin}/`)).socket.destroy();
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: [`https://127.0.0.1:${server.port}`] });
      await expect.poll(() => server.openCount).toBe(2);
      await service.closeConnections('http://page.test');
      await expect.poll(() => server.openCount).toBe(0);
    });

    it('closes tunnels on which nothing passes, too, and no other', async () => {
      const [silent, busy] = [await ask(`CONNECT 127.0.0.1:${server.port}`), await ask(`CONNECT 127.0.0.1:${server.port}`)];
      const talk = setInterval(() => busy.socket.write('GET / HTTP/1.1\r\n\r\n'), 100);
      for (const { socket } of [silent, busy]) socket.resume();
      const gone = once(silent.socket, 'close');
      await service.closeConnections('http://page.test');
      await gone;
      clearInterval(talk);
      expect(busy.socket.destroyed).toBe(false);
      busy.socket.destroy();
    });

    it('makes the connection that the tunnel then has', async () => {
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: [`https://127.0.0.1:${server.port}`] });
      await expect.poll(() => server.received).toEqual(['']);
      expect(await connectionOfTunnel()).toBe('0');
      expect(await connectionOfTunnel()).toBe('1');
    });

    it('makes the connection that a request of http: then has', async () => {
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: [server.origin] });
      await expect.poll(() => server.received).toEqual(['']);
      const { socket, answer } = await ask(`GET ${server.origin}/site.css`);
      expect(answer).toMatch(/0$/);
      socket.destroy();
    });

    it('notices that a server has ended the connection: the tunnel has another', async () => {
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: [`https://127.0.0.1:${server.port}`] });
      await expect.poll(() => server.openCount).toBe(1);
      server.end(0);
      await expect.poll(() => server.openCount).toBe(0);
      expect(await connectionOfTunnel()).toBe('1');
    });

    it('makes none without the part of connections at navigation', async () => {
      await service.close();
      service = await startTestService({ parts: partsWithout('navigationConnections') });
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: [`https://127.0.0.1:${server.port}`, server.origin] });
      const { socket } = await ask(`GET ${server.origin}/site.css`);
      expect(server.received).toHaveLength(1);
      socket.destroy();
    });

    it('makes none to a server of which the browser has all that is needed, as an earlier helper has learnt', async () => {
      const origin = `https://127.0.0.1:${server.port}`;
      const [keptDay, request] = [Math.floor(Date.now() / DAY_MS) + 2, { referrer: null, site: null, isCors: false, hasCookies: false }];
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: [origin], objects: [{ url: `${origin}/a.css`, kind: 'style', bytes: 1, request, isCertain: true, isNamed: false, cached: { keptDay, freshDay: keptDay, profile: 'p' } }] });
      const { socket } = await ask(`GET ${server.origin}/site.css`);
      expect(server.received).toHaveLength(1);
      socket.destroy();
    });

    it('is silent about what can not be made', async () => {
      service.prepare('http://page.test/', { ...NOTHING_EXPECTED, origins: ['https://127.0.0.1:9', 'http://127.0.0.1:9', 'https://[broken', 'http://[broken', `https://127.0.0.1:${server.port}`] });
      await expect.poll(() => server.openCount).toBe(1);
    });
  });
});
