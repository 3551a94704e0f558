import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RawServer } from '../testing/rawServer.ts';
import { TestProxy } from '../testing/testProxy.ts';

let proxy: TestProxy;
let server: RawServer;
let users: Map<number, string>;
let browsers: Agent[];

/** Knows who asks by the connection: two messages of the browser, and it is open from then on (as NTLM). */
beforeEach(async () => {
  users = new Map();
  browsers = [];
  server = await RawServer.start((socket, header, connection) => {
    const [, scheme, message = ''] = /^authorization: (NTLM|Negotiate) (\S+)/im.exec(header) ?? [];
    if (message.startsWith('user-')) users.set(connection, message);
    const user = users.get(connection);
    if (user !== undefined || header.startsWith('GET /open')) return void socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${(user ?? 'nobody').length}\r\n\r\n${user ?? 'nobody'}`);
    socket.write(`HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: ${scheme === undefined ? 'Negotiate\r\nWWW-Authenticate: NTLM' : `${scheme} challenge`}\r\nContent-Length: 0\r\n\r\n`);
  });
  proxy = await TestProxy.start();
});
afterEach(async () => {
  for (const browser of browsers) browser.destroy();
  await proxy.close();
  await server.close();
});

/** One connection of a browser. */
function browser(): (path: string, authorization?: string) => Promise<string> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  browsers.push(agent);
  return async (path, authorization) => {
    const request = httpRequest({ host: '127.0.0.1', port: proxy.port, agent, path: `${server.origin}${path}`, headers: { host: 'x', 'proxy-authorization': proxy.authorization, ...(authorization !== undefined && { authorization }) } });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return `${response.statusCode} ${await text(response)}`;
  };
}

describe.each(['NTLM', 'Negotiate'])('a connection that %s has authenticated', (scheme) => {
  it('is the one of the browser connection that has done so, and of nobody else', async () => {
    const [a, b] = [browser(), browser()];
    expect(await a('/')).toBe('401 ');
    expect(await a('/', `${scheme} hello`)).toBe('401 ');
    expect(await a('/', `${scheme} user-a`)).toBe('200 user-a');
    expect([await b('/'), await b('/open'), await a('/'), await b('/')]).toEqual(['401 ', '200 nobody', '200 user-a', '401 ']);
    expect(await b('/', `${scheme} user-b`)).toBe('200 user-b');
    expect([await a('/'), await b('/open'), await browser()('/open')]).toEqual(['200 user-a', '200 user-b', '200 nobody']);
  });

  it('ends with the browser connection', async () => {
    const a = browser();
    await a('/', `${scheme} user-a`);
    expect(server.openCount).toBe(1);
    browsers[0]?.destroy();
    await expect.poll(() => server.openCount).toBe(0);
    expect(await browser()('/')).toBe('401 ');
  });

  it('is not replaced by one that another uses when the server ends it', async () => {
    const a = browser();
    await a('/', `${scheme} user-a`);
    server.end(0);
    await expect.poll(() => server.openCount).toBe(0);
    expect(await a('/')).toBe('401 ');
    expect(await a('/', `${scheme} user-a`)).toBe('200 user-a');
    expect(await browser()('/open')).toBe('200 nobody');
  });
});

it('Basic and Bearer, which are of the request, share connections', async () => {
  const [a, b] = [browser(), browser()];
  await a('/open', 'Basic eDp5');
  await b('/open', 'Bearer negotiate');
  expect(server.received).toHaveLength(1);
});
