import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';
import { startedWorker } from '../browsers/extension.ts';
import { writeChromiumHelper } from '../browsers/helperScript.ts';
import { copyInstalledExtension } from '../browsers/managedBrowser.ts';
import { HELPERS_HOST, OwnNamesHelper } from '../browsers/ownNamesHelper.ts';
import { Installation, type Chrome } from './browsers.ts';

const HOST = 'page.test';
const SWITCHES = [
  '--headless=new', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update', '--disable-sync',
  '--host-resolver-rules=MAP *.test 127.0.0.1', '--remote-debugging-port=0',
];
const SOON = { timeout: 30_000, interval: 20 };
/** How Chromium's preferences begin to name a script that an extension has set. */
const STORED_PAC = 'data:application/x-ns-proxy-autoconfig';

/** Chromium keeps an extension's PAC script in the profile. After a crash of the browser its helper is gone, and its port may belong to anybody. */
describe('Chromium after a crash', () => {
  let dir: string;
  let installation: Installation;
  let helper: OwnNamesHelper;
  let server: Server;
  let running: ChildProcess | null = null;
  const requests: string[] = [];
  const url = (name: string, host = HOST): string => `http://${host}:${portOf(server)}/${name}`;

  beforeAll(async () => {
    dir = await mkdtemp(path.join(tmpdir(), 'firstscreen-crash-'));
    // one that a policy installed is there when the profile is loaded, as one from a store would be
    installation = await Installation.make('managed');
    helper = await OwnNamesHelper.make([HOST], [`--extension-id=${installation.extensionId}`]);
    server = await listenLocally(createServer(({ url: requested = '' }, response) => {
      requests.push(requested);
      response.end('<title>true</title>');
    }));
  });
  afterAll(async () => {
    crash();
    server.close();
    await helper.remove();
    await installation.remove();
    await rm(dir, { recursive: true, force: true, maxRetries: 5 });
  });

  async function start(...pages: string[]): Promise<Browser> {
    const portFile = path.join(dir, 'DevToolsActivePort');
    await rm(portFile, { force: true });
    running = spawn(installation.managed?.executable ?? '', [...SWITCHES, `--user-data-dir=${dir}`, ...pages], { stdio: 'ignore', detached: true });
    const port = await vi.waitUntil(async () => Number((await readFile(portFile, 'utf8').catch(() => '')).split('\n')[0]), SOON);
    return chromium.connectOverCDP(`http://127.0.0.1:${port}`);
  }

  /** All of its processes at once: its network service would go on for a moment, with what this browser has asked for. */
  function crash(): void {
    if (running?.pid !== undefined && running.exitCode === null && running.signalCode === null) process.kill(-running.pid, 'SIGKILL');
  }

  it('sends nothing to who has taken the port of the dead helper', async () => {
    if (installation.managed !== null) await copyInstalledExtension(installation.managed, dir);
    await writeChromiumHelper(dir, helper.script, installation.origin);
    const browser = await start('about:blank');
    const context = browser.contexts()[0];
    if (context === undefined) throw new Error('no browser');
    const worker = await startedWorker(context, (each) => each.url().startsWith(installation.origin));
    await worker.evaluate(() => (globalThis as unknown as Chrome).chrome.storage.local.set({ connections: true, anyLink: true }));
    const pac = await vi.waitUntil(() => worker.evaluate(async () => {
      const { levelOfControl, value } = (await (globalThis as unknown as Chrome).chrome.proxy.settings.get({})) as { levelOfControl: string; value?: { pacScript?: { data?: string } } };
      return levelOfControl === 'controlled_by_this_extension' && value?.pacScript?.data;
    }), SOON);
    const page = await context.newPage();
    await vi.waitUntil(() => page.goto(url('by-helper', HELPERS_HOST)).catch(() => null), SOON);
    expect(requests).toContain('/by-helper');
    // not the first one, which is nobody's: what arms a script is sent there, by each browser of this machine
    const helperPort = Number(/PROXY 127\.0\.0\.1:(\d+); DIRECT/.exec(pac)?.[1]);
    expect(helperPort).toBeGreaterThan(1024);
    await vi.waitUntil(async () => (await storedIn(dir)).includes(STORED_PAC), SOON);
    const killed = once(running as ChildProcess, 'exit');
    crash();
    await killed;

    const seen: string[] = [];
    const foreign = await listen(helperPort, (what) => seen.push(what));
    try {
      // the window is longest with a helper that never answers
      await rm(path.join(dir, 'NativeMessagingHosts'), { recursive: true });
      const restarted = await start(url('restored'));
      await vi.waitUntil(() => requests.includes('/restored') || seen.length > 0, SOON);
      expect(seen).toEqual([]);
      await restarted.close();
    } finally {
      foreign.close();
    }
  });
});

/** Listens where the helper did, as soon as that has gone. */
async function listen(port: number, see: (what: string) => void): Promise<Server> {
  return vi.waitUntil(() => {
    const server = createServer(({ method, url = '' }, response) => {
      // a browser asks a proxy for absolute addresses; anything else on this machine may knock at a port
      if (url.startsWith('http:')) see(`${method} ${url}`);
      response.end('<title>forged</title>');
    });
    server.on('connect', ({ url = '' }, socket) => {
      see(`CONNECT ${url}`);
      socket.destroy();
    });
    return new Promise<Server | null>((resolve) => server.once('error', () => resolve(null)).listen(port, '127.0.0.1', () => resolve(server)));
  }, SOON);
}

/** What the profile keeps of extensions' settings. */
async function storedIn(dir: string): Promise<string> {
  const texts = await Promise.all(['Preferences', 'Secure Preferences'].map((name) => readFile(path.join(dir, 'Default', name), 'utf8').catch(() => '')));
  return texts.join('');
}
