import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { SCHEME_NAMES } from '../../../shared/src/fetching/schemeNames.ts';
import { RawServer } from '../testing/rawServer.ts';
import { basicAuthorization } from './credentials.ts';
import { ObjectRanks } from './objectRanks.ts';
import { ProxyService } from './proxyService.ts';

const directory = mkdtempSync(join(tmpdir(), 'firstscreen-service-'));
afterEach(() => rmSync(directory, { recursive: true, force: true }));

describe('ProxyService', () => {
  it.each(SCHEME_NAMES)('%s: answers on loopback, and ends with all its connections', async (scheme) => {
    const server = await RawServer.start((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'));
    const service = await ProxyService.start({ scheme, ranks: new ObjectRanks(), expected: () => [], foresaw: () => undefined, leave: () => Promise.resolve(false), spoolDirectory: directory, trust: null, log: () => undefined });
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
});
