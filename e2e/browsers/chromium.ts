import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { DevToolsConnection, type DevToolsSession } from './connection.ts';
import { chromiumSwitches, type BrowserSetup } from './switches.ts';

/** Time the browser has to close by itself before it is killed. */
const CLOSE_TIMEOUT_MS = 4_000;
const START_TIMEOUT_MS = 20_000;
const TARGET_POLL_MS = 20;

/** A running browser with one blank page. */
export interface RunningBrowser {
  readonly browser: DevToolsSession;
  readonly page: DevToolsSession;
  readonly product: string;
  /** Ends the browser and everything it started; safe to call twice. */
  close(): Promise<void>;
}

/** Starts Chromium and attaches to its blank page. Rejects when it does not come up in 20 s. */
export async function launchChromium(executable: string, setup: BrowserSetup): Promise<RunningBrowser> {
  const child = spawn(executable, chromiumSwitches(setup), { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'], env: { ...process.env, ...setup.environment } });
  const ended = once(child, 'exit');
  // A spawn that fails raises 'error' instead of 'exit'; without this handler it would end the worker.
  const failed = new Promise<never>((_, reject) => {
    child.once('error', reject);
  });
  failed.catch(() => undefined);
  ended.catch(() => undefined);

  const connection = new DevToolsConnection(child.stdio[3] as Writable, child.stdio[4] as Readable);
  const browser = connection.session();
  const close = async () => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    browser.send('Browser.close', {}).catch(() => undefined);
    const timer = setTimeout(() => child.kill('SIGKILL'), CLOSE_TIMEOUT_MS);
    await ended;
    clearTimeout(timer);
  };

  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Chromium did not answer in time')), START_TIMEOUT_MS);
  });
  try {
    const { product } = await Promise.race([browser.send('Browser.getVersion', {}), failed, late]);
    const page = await Promise.race([attachToBlankPage(browser), late]);
    return { browser, page, product, close };
  } catch (error) {
    await close();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

async function attachToBlankPage(browser: DevToolsSession): Promise<DevToolsSession> {
  for (;;) {
    const { targetInfos } = await browser.send('Target.getTargets', {});
    const blank = targetInfos.find(({ type, url }) => type === 'page' && url === 'about:blank');
    if (blank) {
      const { sessionId } = await browser.send('Target.attachToTarget', { targetId: blank.targetId, flatten: true });
      return browser.child(sessionId);
    }
    await sleep(TARGET_POLL_MS);
  }
}
