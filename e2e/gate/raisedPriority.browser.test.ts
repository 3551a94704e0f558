import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createIdentity } from '../../shared/src/relay/identity.ts';
import type { TestBrowser } from './browsers.ts';
import { Ground } from './ground.ts';
import { solidPng } from './png.ts';
import { OWN_HOST } from './server.ts';

const HOSTS = ['a.test', 'b.test', 'c.test', 'd.test'];
/** A browser has so many requests under way to a server of HTTP/1.1; and of what can wait Chromium has ten to all of them. */
const IMAGES_PER_HOST = 6;
/** So long the layout waits for its style sheet: the images are asked for, and held, before it. */
const SHEET_MS = 500;

/** An image that was held until the layout showed it in view is what Chromium takes it for then, and none of the few that can wait (docs/adr/0088). */
describe('images of https: that turn out to be in view', () => {
  let ground: Ground;
  let browser: TestBrowser;
  let server: Server;
  let port: number;
  const waiting: ServerResponse[] = [];
  beforeAll(async () => {
    ground = await Ground.make();
    browser = await ground.openFirstscreen();
    const { certificatePem, keyPem } = await createIdentity('gate', new Date());
    server = createServer({ cert: certificatePem, key: keyPem }, answer);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
  });
  afterAll(async () => {
    await browser.close();
    await ground.close();
    server.closeAllConnections();
    server.close();
  });

  function answer({ url = '' }: IncomingMessage, response: ServerResponse): void {
    if (url.startsWith('/held')) waiting.push(response);
    else if (url.endsWith('.png')) endWithImage(response);
    else if (url.endsWith('.css')) setTimeout(() => response.writeHead(200, { 'content-type': 'text/css' }).end('img { border: 0 }'), SHEET_MS);
    else response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><link rel=stylesheet href=style.css>${HOSTS.map(imagesOf).join('')}`);
  }

  /** The first is answered at once: more than one at a time goes to servers that have answered before. */
  function imagesOf(host: string): string {
    const names = ['first', ...Array.from({ length: IMAGES_PER_HOST }, (_, i) => `held${i}`)];
    return names.map((name) => `<img src="https://${host}:${port}/${name}.png" width=20 height=20>`).join('');
  }

  function endWithImage(response: ServerResponse): void {
    response.writeHead(200, { 'content-type': 'image/png' }).end(solidPng(20, 20, 'gate'));
  }

  it('are under way all at once', async () => {
    const page = await browser.context.newPage();
    const session = await browser.context.newCDPSession(page);
    await session.send('Security.setIgnoreCertificateErrors', { ignore: true });
    await page.goto(`https://${OWN_HOST}:${port}/`, { waitUntil: 'commit' });
    await expect.poll(() => waiting.length, { timeout: 10_000 }).toBe(HOSTS.length * IMAGES_PER_HOST);
    waiting.forEach(endWithImage);
    await page.waitForLoadState('load');
    expect(await page.evaluate(() => [...document.images].every(({ naturalWidth }) => naturalWidth > 0))).toBe(true);
  });
});
