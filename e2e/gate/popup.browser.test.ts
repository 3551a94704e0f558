import path from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { Ground } from './ground.ts';
import type { TestBrowser } from './browsers.ts';
import { DRIVER_STATUS, FakeDriver } from './fakeDriver.ts';
import { helperWithDriver } from './fakeHelper.ts';

/** In which a popup that asks again and again would have asked. */
const NO_CHANGE_MS = 2_000;

/** The whole way: popup, background script, helper, driver. */
describe('the popup, of the driver', () => {
  let ground: Ground;
  let dir: string;
  let browser: TestBrowser;
  let popup: Page;
  let driver: FakeDriver | null;

  beforeAll(async () => void (ground = await Ground.make()));
  beforeEach(() => void (dir = temporaryDirectory()));
  afterEach(async () => {
    await browser.close();
    driver?.close();
  });
  afterAll(() => ground.close());

  const socketPath = (): string => path.join(dir, 'driver.sock');

  /** The driver is there before the helper, which looks for one at its start and each half minute. */
  async function open(status: object | null): Promise<void> {
    driver = status === null ? null : FakeDriver.listen(socketPath(), status);
    browser = await ground.openFirstscreenWhenFull(helperWithDriver(socketPath(), ground.installation.extensionId));
    popup = await browser.openOwnPage('popup.html');
  }

  /** As a user who opens it sees it. */
  async function said(): Promise<string> {
    await popup.reload();
    await popup.waitForSelector('body[data-ready]');
    return popup.locator('#driver').innerText();
  }

  it('says what to do when there is none', async () => {
    await open(null);
    await expect.poll(said).toContain('Driver not running');
    expect(await popup.locator('#driver-command').innerText()).toContain('systemctl start');
  });

  it('says what one does that runs, and what it lacks', async () => {
    await open(DRIVER_STATUS);
    await expect.poll(said).toContain('Driver protects small messages on wlan0');
    expect(await popup.locator('#driver').innerText()).toContain('128 messages, 256 copies (31 kB)');
    await popup.locator('summary').click();
    await expect.poll(() => popup.locator('#driver').innerText()).toContain('Not supported: IB, spool (cgroup2 is not mounted)');
  });

  it('knows one of another release for such, and the helper goes on', async () => {
    await open({ ...DRIVER_STATUS, counters: { packets: 1 } });
    await expect.poll(said).toContain('unknown version');
    expect(await popup.locator('#helper-text').innerText()).toBe('Helper connected');
  });

  it('follows what changes, and has nobody ask while nothing does', async () => {
    await open(DRIVER_STATUS);
    const asked = (): number => driver?.asked ?? 0;
    await expect.poll(asked).toBeGreaterThan(0);
    const note = (): Promise<string> => popup.locator('#connections-note').innerText();
    await popup.locator('#connections').click();
    // also where loopback is known for a fast link by then
    await expect.poll(note).toMatch(/in use/i);
    await popup.locator('#connections').click();
    await expect.poll(note).toBe('');
    const askedMeanwhile = async (): Promise<number> => {
      const start = asked();
      await new Promise((resolve) => setTimeout(resolve, NO_CHANGE_MS));
      return asked() - start;
    };
    await expect.poll(askedMeanwhile).toBe(0);
  });
});
