import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Bench } from './harness.ts';
import type { TestBrowser } from './browsers.ts';
import { helperWithDriver } from './fakeHelper.ts';

const HELPER = path.join(import.meta.dirname, '../../dist/helper/firstscreen-helper.mjs');
const STATUS = {
  features: [{ name: 'RAR', level: 'full' }, { name: 'IB, receive buffers', level: 'part', reason: 'rmem_max' }],
  interfaces: [{ name: 'wlan0', index: 3, method: 'tcx' }],
  counters: {
    rar: { messages: 128, protected: 128, copies: 256, copyBytes: 31_400, rounds: 0, duplicates: 0, linkBusy: 0, notPaying: 0 },
    programs: { retransmitted: 0, redirected: 0 },
  },
};

/** The whole way: popup, background script, helper, driver. */
describe('the popup, of the driver', () => {
  let bench: Bench;
  let dir: string;
  let browser: TestBrowser;
  let popup: Page;
  let driver: Server | null = null;
  /** Requests of the helper for how the driver stands. */
  let asked = 0;
  const sockets = new Set<Socket>();

  beforeAll(async () => {
    bench = await Bench.start();
    dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-popup-'));
    browser = await bench.openFirstscreenWhenFull(helperWithDriver(HELPER, socketPath(), bench.installation.extensionId));
    popup = await browser.context.newPage();
    await popup.goto(new URL('popup.html', bench.installation.origin).href);
  });
  afterEach(stopDriver);
  afterAll(async () => {
    await browser.close();
    await bench.close();
    await rm(dir, { recursive: true });
  });

  const socketPath = (): string => path.join(dir, 'driver.sock');

  function startDriver(status: object): void {
    driver = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
      createInterface({ input: socket }).on('line', (line) => {
        const { id, type } = JSON.parse(line) as { id: number; type: string };
        if (type === 'status') asked += 1;
        socket.write(`${JSON.stringify({ v: 1, id, type: 'ok', payload: type === 'status' ? status : {} })}\n`);
      });
    }).listen(socketPath());
  }

  function stopDriver(): void {
    driver?.close();
    driver = null;
    for (const socket of sockets) socket.destroy();
  }

  const said = (): Promise<string> => popup.locator('#driver').innerText();

  it('says what to do when there is none', async () => {
    await expect.poll(said).toContain('Driver not running');
    expect(await popup.locator('#driver-command').innerText()).toContain('systemctl start');
  });

  it('says what one does that runs, and what it lacks', async () => {
    startDriver(STATUS);
    await expect.poll(said).toContain('Driver protects small messages on wlan0');
    expect(await said()).toContain('128 messages, 256 copies (31 kB)');
    await popup.locator('summary').click();
    await expect.poll(said).toContain('In part: IB, receive buffers (rmem_max)');
  });

  it('knows one of another release for such, and the helper goes on', async () => {
    startDriver({ ...STATUS, counters: { packets: 1 } });
    await expect.poll(said).toContain('unknown version');
    expect(await popup.locator('#helper-text').innerText()).toBe('Helper connected');
  });

  it('has nobody ask when it is closed', async () => {
    startDriver(STATUS);
    await expect.poll(() => asked).toBeGreaterThan(0);
    await popup.goto('about:blank');
    const before = await settled();
    expect(await settled()).toBe(before);
  });

  /** What was under way has been asked after this. */
  async function settled(): Promise<number> {
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    return asked;
  }
});
