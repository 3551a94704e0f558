import { EventEmitter, once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import type { LogEntry } from '../../../shared/src/log.ts';
import { spoolOf } from '../spool/spooledBody.ts';
import { driverStatus } from '../testing/driverStatus.ts';
import { DriverConnection } from './driverConnection.ts';
import { DriverLink } from './driverLink.ts';
import { driverSocketPath } from './driverMessages.ts';

const AGAIN_MS = 20;

/** A driver that answers as it is told to. */
class TestDriver {
  readonly requests: unknown[] = [];
  readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(path: string, answer: (id: number, type: string) => string | Promise<string>) {
    this.server = createServer((socket) => {
      this.sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => this.sockets.delete(socket));
      createInterface({ input: socket }).on('line', (line) => {
        const request = JSON.parse(line) as { id: number; type: string };
        this.requests.push(request);
        void Promise.resolve(answer(request.id, request.type)).then((text) => socket.write(text));
      });
    }).listen(path);
  }

  async close(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

const ok = (id: number): string => `{"v":1,"id":${id},"type":"ok","payload":{}}\n`;
const withStatus = (id: number, type: string): string => (type === 'status' ? `${JSON.stringify({ v: 1, id, type: 'ok', payload: driverStatus() })}\n` : ok(id));

describe('the driver', () => {
  let directory: string;
  let path: string;
  let driver: TestDriver | null;
  let said: unknown[];
  const log = (entry: LogEntry): void => void said.push(entry.fields?.['code']);
  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory, 'driver.sock');
    driver = null;
    said = [];
  });
  afterEach(async () => {
    await driver?.close();
  });

  it('is asked to protect this process, and again when it was started anew', async () => {
    driver = new TestDriver(path, ok);
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: AGAIN_MS });
    const request = { v: 1, id: 1, type: 'register', payload: { process: 42, policy: ['rar', 'bbr'] } };
    await expect.poll(() => driver?.requests[0]).toEqual(request);
    await expect.poll(() => said).toEqual(['registered', 'spool']);
    await driver.close();
    await expect.poll(() => said.slice(0, 3)).toEqual(['registered', 'spool', 'gone']);
    driver = new TestDriver(path, ok);
    await expect.poll(() => driver?.requests).toMatchObject([
      request,
      { type: 'spool', payload: { port: expect.any(Number) as number } },
    ]);
    link.close();
    await expect.poll(() => driver?.sockets.size).toBe(0);
  });

  it('may go in the midst of connections that it has led here: they go on, and end with this', async () => {
    const server = await listenLocally(createServer((socket) => socket.pipe(socket)));
    const meant = JSON.stringify({ address: '127.0.0.1', port: portOf(server) });
    driver = new TestDriver(path, (id, type) => (type === 'meant' ? `{"v":1,"id":${id},"type":"ok","payload":${meant}}\n` : ok(id)));
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: 600_000 });
    await expect.poll(() => said).toEqual(['registered', 'spool']);
    const { payload } = driver.requests.at(-1) as { readonly payload: { readonly port: number } };
    const program = createConnection({ host: '127.0.0.1', port: payload.port });
    const echo = async (text: string): Promise<string> => {
      program.write(text);
      return String((await once(program, 'data'))[0]);
    };
    expect(await echo('before')).toBe('before');
    await driver.close();
    await expect.poll(() => said).toEqual(['registered', 'spool', 'gone']);
    expect(await echo('behind')).toBe('behind');
    link.close();
    await once(program, 'close');
    server.close();
  });

  it('is registered with at once when it is seen to be there', async () => {
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: 600_000 });
    await expect.poll(() => said).toEqual(['E_DRIVER_UNAVAILABLE']);
    driver = new TestDriver(path, withStatus);
    expect(await link.report()).toMatchObject({ state: 'good' });
    await expect.poll(() => said).toEqual(['E_DRIVER_UNAVAILABLE', 'registered', 'spool']);
    link.close();
  });

  it('is reported when it is clear whether it acts on this process', async () => {
    const asked = new EventEmitter();
    const isStatusAsked = once(asked, 'status');
    driver = new TestDriver(path, async (id, type) => {
      asked.emit(type);
      if (type === 'register') await isStatusAsked;
      return withStatus(id, type);
    });
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: 600_000 });
    expect(await link.report()).toMatchObject({ state: 'good' });
    await expect.poll(() => said).toEqual(['registered', 'spool']);
    link.close();
  });

  it('is left alone when it has refused, also by who looks at it', async () => {
    driver = new TestDriver(path, (id, type) => (type === 'register' ? `{"v":1,"id":${id},"type":"error","payload":{"code":"E_DRIVER_DENIED","message":"no","next":"ask"}}\n` : withStatus(id, type)));
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: 600_000 });
    await expect.poll(() => said).toEqual(['E_DRIVER_REFUSED']);
    for (let i = 0; i < 3; i += 1) expect(await link.report()).toMatchObject({ text: 'Driver runs, but not for the helper' });
    expect(driver.requests.map((request) => (request as { type: string }).type)).toEqual(['register', 'status', 'status', 'status']);
    link.close();
  });

  it('fills losses also where it has refused to protect this process, on the same conversation', async () => {
    const refused = (id: number): string => `{"v":1,"id":${id},"type":"error","payload":{"code":"E_DRIVER_UNSUPPORTED","message":"no","next":"ask"}}\n`;
    driver = new TestDriver(path, (id, type) => (type === 'register' ? refused(id) : `{"v":1,"id":${id},"type":"ok","payload":{"from":7}}\n`));
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: AGAIN_MS });
    expect(link.canRepair).toBe(false);
    // it is asked again, and is still the same one
    await expect.poll(() => driver?.requests.length).toBeGreaterThan(2);
    const ends = { local: { address: '192.0.2.1', port: 1 }, remote: { address: '192.0.2.2', port: 80 } };
    const flow = await link.repair(ends, 99);
    expect([link.canRepair, flow.from, driver.sockets.size]).toEqual([true, 7, 1]);
    // it may have been asked to protect once more meanwhile
    expect(driver.requests.filter((asked) => (asked as { type: string }).type === 'repair')).toMatchObject([{ payload: { ...ends, end: 99 } }]);
    await driver.close();
    await expect.poll(() => link.canRepair).toBe(false);
    await expect(link.repair(ends, 99)).rejects.toMatchObject({ code: 'E_DRIVER_REFUSED' });
    link.close();
  });

  it('leads programs here when the helper has gone that had the spool', async () => {
    let isFree = false;
    let spools = 0;
    driver = new TestDriver(path, (id, type) => {
      if (type === 'spool') spools += 1;
      return type === 'spool' && !isFree ? `{"v":1,"id":${id},"type":"error","payload":{"code":"E_DRIVER_LIMIT","message":"no","next":"close the other one"}}\n` : ok(id);
    });
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: AGAIN_MS });
    await expect.poll(() => spools).toBeGreaterThan(2);
    expect(said).toEqual(['registered', 'E_DRIVER_REFUSED']);
    isFree = true;
    await expect.poll(() => said).toEqual(['registered', 'E_DRIVER_REFUSED', 'spool']);
    link.close();
  });

  it('need not be there, which is said once', async () => {
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: 1 });
    await expect.poll(() => said).toEqual(['E_DRIVER_UNAVAILABLE']);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(said).toHaveLength(1);
    driver = new TestDriver(path, ok);
    await expect.poll(() => said).toEqual(['E_DRIVER_UNAVAILABLE', 'registered', 'spool']);
    link.close();
  });

  it.each([
    ['refuses', (id: number) => `{"v":1,"id":${id},"type":"error","payload":{"code":"E_DRIVER_DENIED","message":"no","next":"ask"}}\n`, 'E_DRIVER_REFUSED'],
    ['talks nonsense', () => 'hello\n', 'E_DRIVER_VERSION'],
    ['speaks another version', (id: number) => `{"v":2,"id":${id},"type":"ok","payload":{}}\n`, 'E_DRIVER_VERSION'],
  ])('that %s is done without', async (_, answer, code) => {
    driver = new TestDriver(path, answer);
    const connection = await DriverConnection.open(path);
    await expect(connection.ask('register', {})).rejects.toMatchObject({ code });
    connection.close();
    await connection.ended;
    await expect(connection.ask('register', {})).rejects.toMatchObject({ code: code === 'E_DRIVER_VERSION' ? code : 'E_DRIVER_UNAVAILABLE' });
  });

  it('that is killed with a question unread is done without', async () => {
    const unread: Socket[] = [];
    const killed = createServer({ pauseOnConnect: true }, (socket) => unread.push(socket)).listen(path);
    const connection = await DriverConnection.open(path);
    const asked = connection.ask('status', {});
    await expect.poll(() => unread).toHaveLength(1);
    // the kernel resets what is closed with bytes unread
    for (const socket of unread) socket.destroy();
    await expect(asked).rejects.toMatchObject({ code: 'E_DRIVER_UNAVAILABLE' });
    await connection.ended;
    await new Promise((resolve) => killed.close(resolve));
  });

  it('is asked how it stands when somebody wants to know, and once at a time', async () => {
    driver = new TestDriver(path, withStatus);
    const link = new DriverLink({ path, processId: 42, spool: spoolOf(directory), log, againMs: AGAIN_MS });
    await expect.poll(() => said).toEqual(['registered', 'spool']);
    const [report, same] = await Promise.all([link.report(), link.report()]);
    expect(report).toMatchObject({ state: 'good', text: 'Driver protects small messages on wlan0' });
    expect(same).toBe(report);
    expect(driver.requests.filter((request) => (request as { type: string }).type === 'status')).toHaveLength(1);
    await driver.close();
    expect(await link.report()).toMatchObject({ state: 'absent' });
    link.close();
  });

  it('is where the environment says', () => {
    expect(driverSocketPath({})).toBe('/run/firstscreen/driver.sock');
    expect(driverSocketPath({ FIRSTSCREEN_DRIVER_SOCKET: '/x' })).toBe('/x');
  });
});
