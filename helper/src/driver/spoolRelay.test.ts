import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createConnection, createServer, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { SpoolBudget } from '../spool/spoolBudget.ts';
import { DriverConnection } from './driverConnection.ts';
import { SpoolRelay, type Follow, type Follower } from './spoolRelay.ts';

const MEBIBYTE = 1024 * 1024;
/** More than the kernel's buffers of two sockets hold. */
const BODY_BYTES = 24 * MEBIBYTE;
const NOBODY = 9;
/** Later than programs are taken to give up. */
const LATE_MS = 1_100;

const hasIpv6Loopback = (): boolean => Object.values(networkInterfaces()).some((addresses) => addresses?.some(({ address }) => address === '::1'));

describe('the spool of the driver', () => {
  let directory: string;
  let driver: Server;
  let connection: DriverConnection;
  let relay: SpoolRelay;
  let server: Server;
  let handle: (socket: Socket) => void;
  /** Where all connections were meant to go; null: nowhere. */
  let meant: number | null;
  let ports: { port: number; port6?: number };
  let following: () => Promise<Follow>;
  /** From where the driver was told that a connection comes. */
  let from: string[];
  /** The driver says nothing before. */
  let answering: Promise<void>;

  beforeEach(async () => {
    directory = temporaryDirectory();
    server = await listenLocally(createServer({ allowHalfOpen: true }, (socket) => {
      socket.on('error', () => undefined);
      handle(socket);
    }));
    meant = portOf(server);
    from = [];
    answering = Promise.resolve();
    following = () => Promise.resolve(() => null);
    driver = createServer((socket) => {
      socket.on('error', () => undefined);
      createInterface({ input: socket }).on('line', (line) => {
        const { id, type, payload } = JSON.parse(line) as { id: number; type: string; payload: { address: string; port: number; port6?: number } };
        if (type === 'spool') ports = payload;
        if (type === 'meant') from.push(`${payload.address} ${payload.port}`);
        const answer = type !== 'meant' ? {} : { address: '127.0.0.1', port: meant };
        const refusal = { code: 'E_DRIVER_GONE', message: 'not redirected', next: 'close it' };
        const isRefused = type === 'meant' && meant === null;
        void answering.then(() => socket.write(`${JSON.stringify({ v: 1, id, type: isRefused ? 'error' : 'ok', payload: isRefused ? refusal : answer })}\n`));
      });
    }).listen(join(directory, 'driver.sock'));
    connection = await DriverConnection.open(join(directory, 'driver.sock'));
    relay = await SpoolRelay.open(connection, {
      spool: { budget: new SpoolBudget({ memory: 4 * MEBIBYTE, disk: 64 * MEBIBYTE }), directory, maxBytes: { memory: MEBIBYTE, disk: 64 * MEBIBYTE } },
      following: () => following(),
      log: () => undefined,
    });
  });
  afterEach(() => {
    relay.close();
    connection.close();
    driver.close();
    server.close();
  });

  const application = (): Socket => createConnection({ host: '127.0.0.1', port: ports.port, allowHalfOpen: true });

  it('passes both directions, each to its own end', async () => {
    handle = (socket) => void buffer(socket).then((request) => socket.end(`you said ${request.toString()}`));
    const socket = application();
    socket.end('hello');
    expect((await buffer(socket)).toString()).toBe('you said hello');
  });

  it('takes connections over IPv6 on a port that it names, and asks for each by its own address', async (context) => {
    if (!hasIpv6Loopback()) context.skip('needs ::1');
    handle = (socket) => void socket.end('hello').resume();
    for (const [host, port] of [['127.0.0.1', ports.port], ['::1', ports.port6 ?? 0]] as const) {
      const socket = createConnection({ host, port });
      await once(socket, 'connect');
      const { localPort } = socket;
      expect((await buffer(socket)).toString()).toBe('hello');
      expect(from.at(-1)).toBe(`${host} ${localPort}`);
    }
  });

  it('lets a server finish while the program does not read, and keeps the bytes exact', async () => {
    const body = randomBytes(BODY_BYTES);
    const finished = new Promise((resolve) => {
      handle = (socket) => socket.end(body).once('finish', resolve).resume();
    });
    const socket = application();
    await once(socket, 'connect');
    await finished;
    // Node has read ahead by itself
    expect(socket.bytesRead).toBeLessThan(MEBIBYTE);
    const got = await buffer(socket);
    expect(createHash('sha256').update(got).digest('hex')).toBe(createHash('sha256').update(body).digest('hex'));
    socket.end();
  });

  it.each([
    ['is turned away that nobody has led here', () => (meant = null)],
    ['is cut off whose server is down', () => (meant = NOBODY)],
  ])('a connection %s', async (_, arrange) => {
    arrange();
    const socket = application();
    await expect(buffer(socket)).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  it.runIf(process.platform === 'linux')('passes nothing on of a program that has given up before its server was reached, and all of one that only has no more to say', async () => {
    let resolve = (): void => undefined;
    answering = new Promise((answer) => (resolve = answer));
    const heard: string[] = [];
    handle = (socket) => void buffer(socket).then(String, () => 'cut off').then((request) => {
      heard.push(request);
      socket.end(`you said ${request}`);
    });
    const [impatient, patient] = [application(), application()];
    patient.end('hello');
    await new Promise((sent) => impatient.write('once', sent));
    impatient.destroy();
    await sleep(LATE_MS);
    resolve();
    expect((await buffer(patient)).toString()).toBe('you said hello');
    await expect.poll(() => heard.toSorted()).toEqual(['cut off', 'hello']);
  });

  it('cuts off where the server does', async () => {
    handle = (socket) => socket.write('half', () => socket.resetAndDestroy());
    await expect(buffer(application())).rejects.toMatchObject({ code: 'ECONNRESET' });
  });

  const defect = (): never => {
    throw new Error('a defect');
  };
  it.each<[string, (to: Follower) => Partial<Follower>]>([
    ['in what the program says', () => ({ asked: defect })],
    ['in what the server says', () => ({ data: defect })],
    ['in what the server says, later', () => ({ data: () => Promise.reject(new Error('a defect')) })],
    ["at the server's end", () => ({ end: defect })],
    ['where the program has gone', (to) => ({ data: () => defect(), close: () => void (to.close(), defect()) })],
  ])('a fault of who follows a connection, %s, breaks that off at both ends, and no other', async (_, faults) => {
    const closed = new Promise((resolve) => {
      handle = (socket) => void socket.once('close', resolve).once('data', () => socket.end('hello'));
    });
    following = () => Promise.resolve((_remote, to) => {
      const follower = { ...to, asked: () => undefined, close: () => undefined };
      return { ...follower, ...faults(follower) };
    });
    const broken = application();
    broken.write('x');
    await expect(buffer(broken)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await closed;
    following = () => Promise.resolve(() => null);
    const other = application();
    other.end('x');
    expect((await buffer(other)).toString()).toBe('hello');
  });

  it.each<[string, () => Promise<Follow>]>([
    ['can be had', () => Promise.reject(new Error('a defect'))],
    ['takes it', () => Promise.resolve(defect)],
  ])('where nobody %s who follows connections, they pass as they are', async (_, none) => {
    handle = (socket) => void socket.end('hello').resume();
    following = none;
    expect((await buffer(application())).toString()).toBe('hello');
  });

  it('tells the server when the program has gone', async () => {
    const app = application();
    await new Promise((resolve) => {
      handle = (socket) => void socket.once('close', resolve).once('data', () => app.resetAndDestroy());
      app.write('x');
    });
  });
});
