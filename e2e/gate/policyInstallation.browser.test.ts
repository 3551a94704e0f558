import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { chromium, type BrowserContext } from 'playwright-core';
import { beforeEach, expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { CHROMIUM, EXTENSIONS } from '../browsers/executables.ts';
import { startedWorker } from '../browsers/extension.ts';
import { installByPolicy, type PolicyMachine } from '../browsers/managedBrowser.ts';

const MANAGED_EXTENSION_DIR = path.join(EXTENSIONS, 'managed');
const run = promisify(execFile);
const START_LIMIT_MS = 30_000;

let dir: string;
let machine: PolicyMachine;
beforeEach(async () => {
  dir = temporaryDirectory();
  machine = await installByPolicy(MANAGED_EXTENSION_DIR, dir);
});

async function open(): Promise<BrowserContext> {
  const executablePath = path.join(dir, 'chromium');
  await writeFile(executablePath, `#!/bin/sh\nexec '${machine.run}' '${CHROMIUM}' "$@"\n`, { mode: 0o755 });
  // to install by policy the browser uses its network stack, which Playwright's own arguments hold back
  return chromium.launchPersistentContext(path.join(dir, 'profile'), { executablePath, headless: false, ignoreDefaultArgs: true, args: ['--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync', '--remote-debugging-pipe', `--user-data-dir=${path.join(dir, 'profile')}`] });
}

async function installedExtensions(): Promise<string[]> {
  const names = await readdir(path.join(dir, 'profile/Default/Extensions'));
  return names.filter((name) => /^[a-p]{32}$/.test(name));
}

/** Starts the browser for as long as it takes to show a page. */
async function startOnce(): Promise<void> {
  await run(machine.run, [CHROMIUM, '--headless=new', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-sync', `--user-data-dir=${path.join(dir, 'profile')}`, '--dump-dom', 'about:blank'], { timeout: START_LIMIT_MS });
}

/** What the extension's own script may do and sees. */
const LOOK = `new Promise((resolve) => {
  const port = chrome.runtime.connectNative('org.firstscreen.helper');
  const done = (helper) => resolve({ id: chrome.runtime.id, mayHold: chrome.runtime.getManifest().permissions.includes('webRequestBlocking') && chrome.webRequest.onBeforeRequest.hasListeners(), helper });
  port.onDisconnect.addListener(() => done(chrome.runtime.lastError.message));
  port.onMessage.addListener(() => done('answers'));
  port.postMessage({ v: 1, id: 1, type: 'nothing', payload: {} });
})`;

it('one command brings the extension, whose gate may hold, and the helper that lets it in; one takes all of it back', async () => {
  const first = await open();
  try {
    const worker = await startedWorker(first, (each) => each.url().endsWith('/background.js'));
    await expect.poll(() => worker.evaluate(LOOK)).toEqual({ id: expect.stringMatching(/^[a-p]{32}$/) as string, mayHold: true, helper: 'answers' });
  } finally {
    await first.close();
  }
  expect(await installedExtensions()).toHaveLength(1);
  const { stdout } = await run(machine.run, [process.execPath, machine.helperMain, 'doctor', '--system', '--json']);
  const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; verdict: string }[] };
  expect(checks).toContainEqual(expect.objectContaining({ name: 'extension by policy', verdict: 'pass' }));

  await run(machine.run, [process.execPath, machine.helperMain, 'uninstall', '--policy']);
  // without its policy the browser removes it at a start
  await expect.poll(() => startOnce().then(installedExtensions)).toEqual([]);
});
