import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LogEntry } from '../../../shared/src/log.ts';
import { spoolOf } from '../spool/spoolSizes.ts';
import { DriverConnection } from './driverConnection.ts';
import { DriverLink } from './driverLink.ts';
import { DriverStatusSchema, driverSocketPath } from './driverMessages.ts';
import * as v from 'valibot';

const AGAIN_MS = 20;

/** A driver that answers as it is told to. */
class TestDriver {
  readonly requests: unknown[] = [];
  readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(path: string, answer: (id: number) => string) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      createInterface({ input: socket }).on('line', (line) => {
        const request = JSON.parse(line) as { id: number };
        this.requests.push(request);
        socket.write(answer(request.id));
      });
    }).listen(path);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const ok = (id: number): string => `{"v":1,"id":${id},"type":"ok","payload":{"registration":1}}\n`;

describe('the driver', () => {
  let directory: string;
  let path: string;
  let driver: TestDriver | null;
  let said: unknown[];
  const log = (entry: LogEntry): void => void said.push(entry.fields?.['code']);
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'firstscreen-driver-'));
    path = join(directory, 'driver.sock');
    driver = null;
    said = [];
  });
  afterEach(async () => {
    await driver?.close();
    rmSync(directory, { recursive: true });
  });

  it('is asked to protect this process, and again when it was started anew', async () => {
    driver = new TestDriver(path, ok);
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: AGAIN_MS });
    const request = { v: 1, id: 1, type: 'register', payload: { process: 42, policy: ['rar', 'am', 'ib'] } };
    await vi.waitFor(() => expect(driver?.requests[0]).toEqual(request));
    await vi.waitFor(() => expect(said).toEqual(['registered']));
    await driver.close();
    await vi.waitFor(() => expect(said.slice(0, 2)).toEqual(['registered', 'gone']));
    driver = new TestDriver(path, ok);
    await vi.waitFor(() => expect(driver?.requests[0]).toEqual(request));
    link.close();
    await vi.waitFor(() => expect(driver?.sockets.size).toBe(0));
    expect(driver.requests[1]).toMatchObject({ type: 'spool', payload: { port: expect.any(Number) as number } });
  });

  it('need not be there, which is said once', async () => {
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: 1 });
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(said).toEqual(['E_DRIVER_UNAVAILABLE']);
    driver = new TestDriver(path, ok);
    await vi.waitFor(() => expect(said).toEqual(['E_DRIVER_UNAVAILABLE', 'registered']));
    link.close();
  });

  it.each([
    ['refuses', (id: number) => `{"v":1,"id":${id},"type":"error","payload":{"code":"E_DRIVER_DENIED","message":"no","next":"ask"}}\n`, 'E_DRIVER_REFUSED'],
    ['talks nonsense', () => 'hello\n', 'E_DRIVER_UNAVAILABLE'],
    ['speaks another version', (id: number) => `{"v":2,"id":${id},"type":"ok","payload":{}}\n`, 'E_DRIVER_UNAVAILABLE'],
  ])('that %s is done without', async (_, answer, code) => {
    driver = new TestDriver(path, answer);
    const connection = await DriverConnection.open(path);
    await expect(connection.ask('register', {})).rejects.toMatchObject({ code });
    connection.close();
    await connection.ended;
    await expect(connection.ask('register', {})).rejects.toMatchObject({ code: 'E_DRIVER_UNAVAILABLE' });
  });

  it('tells what it supports', () => {
    const counters = { rar: { messages: 1, protected: 1, copies: 2, rounds: 0, more: 1 }, programs: {} };
    const told = { features: [{ name: 'RAR', level: 'full' }], interfaces: [{ name: 'wlan0', index: 3, method: 'tcx' }], cgroups: [], counters };
    expect(v.parse(DriverStatusSchema, told).features).toEqual([{ name: 'RAR', level: 'full', reason: '' }]);
  });

  it('is where the environment says', () => {
    expect(driverSocketPath({})).toBe('/run/firstscreen/driver.sock');
    expect(driverSocketPath({ FIRSTSCREEN_DRIVER_SOCKET: '/x' })).toBe('/x');
  });
});
