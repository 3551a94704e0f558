import { afterAll, beforeAll, expect, it } from 'vitest';
import type { TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';
import { html } from './harness.ts';

let ground: Ground;
let browser: TestBrowser;
beforeAll(async () => {
  ground = await Ground.make();
  browser = await ground.openFirstscreen();
});
afterAll(() => ground.close());

it('what the extension keeps is closed to its content script, which runs in the process of a page', async () => {
  const page = await browser.context.newPage();
  const session = await browser.context.newCDPSession(page);
  const scripts: number[] = [];
  session.on('Runtime.executionContextCreated', ({ context }) => {
    if (`${context.origin}/` === ground.installation.origin) scripts.push(context.id);
  });
  await session.send('Runtime.enable');
  await page.goto(ground.server.visit({ '/': html('text') }).url('/'));
  await expect.poll(() => scripts.length).toBeGreaterThan(0);
  const read = await session.send('Runtime.evaluate', { contextId: scripts.at(-1) ?? 0, awaitPromise: true, expression: 'chrome.storage.local.get().then(() => "read", ({ message }) => message)' });
  expect(read.result.value).toBe('Access to storage is not allowed from this context.');
});
