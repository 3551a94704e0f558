import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { CHROMIUM_EXTENSION_ORIGIN } from '../../../shared/src/protocol/identity.ts';
import { HelperClient } from '../testing/helperClient.ts';
import { basicAuthorization } from '../proxy/credentials.ts';
import { RawServer } from '../testing/rawServer.ts';
import { launcherText } from './launcher.ts';

/** One that takes the server of the test for one of the web. */
const PROGRAM = join(import.meta.dirname, '../bench.ts');
/** Processes start and end within this on a busy machine. */
const END = { timeout: 10_000 };

describe.runIf(process.platform === 'linux')('the launcher', () => {
  let directory: string;
  let client: HelperClient;
  let server: RawServer;
  let asked: Socket[];

  beforeEach(async () => {
    directory = temporaryDirectory();
    asked = [];
    server = await RawServer.start((socket) => asked.push(socket));
    const launcher = join(directory, 'launcher');
    writeFileSync(launcher, launcherText(process.execPath, PROGRAM, []));
    chmodSync(launcher, 0o755);
    const env = { PATH: process.env['PATH'], HOME: directory, XDG_STATE_HOME: directory, XDG_CACHE_HOME: directory, FIRSTSCREEN_DRIVER_SOCKET: join(directory, 'none'), FIRSTSCREEN_PUBLIC: '127.0.0.0/8' };
    client = new HelperClient(launcher, [CHROMIUM_EXTENSION_ORIGIN], env);
    await client.hello();
  });
  afterEach(async () => {
    client.kill();
    await server.close();
  });

  /** The helper's process, which the shell has started. */
  function helperPid(): number {
    const shell = client.pid ?? 0;
    return Number(readFileSync(`/proc/${shell}/task/${shell}/children`, 'utf8'));
  }

  /** A zombie has ended: nobody may wait for it where this test runs. */
  const isRunning = (pid: number): boolean => existsSync(`/proc/${pid}`) && !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');

  /** Asks the helper's proxy for an object of the server, of which nothing comes yet. */
  async function ask(): Promise<{ readonly came: () => string; readonly socket: Socket }> {
    const answer = await client.ask({ v: 1, id: 4, type: 'proxy', payload: { mayRemember: false, profile: 'p' } });
    if (answer.type !== 'proxied') throw new Error(answer.type);
    const socket = connect(answer.payload.port, '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => (text += String(chunk))).on('error', () => undefined);
    socket.write(`GET ${server.origin}/ HTTP/1.1\r\nHost: x\r\nProxy-Authorization: ${basicAuthorization(answer.payload)}\r\n\r\n`);
    await expect.poll(() => asked.length, END).toBe(1);
    return { came: () => text, socket };
  }

  it('gives the helper the browser\'s pipes, and its status to the browser', async () => {
    expect(await client.close()).toEqual({ status: 0, signal: null });
  });

  it('keeps the helper out when the browser kills what it has started: the answer under way comes whole, then the process ends', async () => {
    const { came, socket } = await ask();
    const pid = helperPid();
    client.endInput();
    client.kill();
    asked[0]?.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n');
    await expect.poll(came, END).toContain('\r\n\r\n');
    expect(isRunning(pid)).toBe(true);
    asked[0]?.write('whole');
    await once(socket, 'close');
    expect(came()).toMatch(/whole$/);
    await expect.poll(() => isRunning(pid), END).toBe(false);
  });

  it('leaves no process when the browser dies with all its connections', async () => {
    const { socket } = await ask();
    const pid = helperPid();
    client.kill();
    client.endInput();
    socket.destroy();
    await expect.poll(() => isRunning(pid), END).toBe(false);
  });
});
