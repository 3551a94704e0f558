import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { endServer, listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';
import { launchChromium, type RunningChromium } from '../browsers/chromium.ts';
import { CHROMIUM } from '../browsers/executables.ts';
import { ChromiumPage } from './chromiumPage.ts';
import { monotonicMs } from './wallClock.ts';

const VIEWPORT = { width: 800, height: 600 };
/** What is answered late is not taken for ended with its first byte. */
const BODY_MS = 300;

describe('ends of requests as Chromium tells them', () => {
  const servedMs = new Map<string, number>();
  const pages: Record<string, string> = { '/frame.html': '<p>frame</p>' };
  let server: Server;
  let userDataDir: string;
  let running: RunningChromium;
  let page: ChromiumPage;
  let origin: string;

  beforeAll(async () => {
    server = createServer((request, response) => {
      const path = request.url ?? '';
      // an event after it would come when this process, which drives the browser too, has time for it
      const end = (body?: string) => {
        servedMs.set(path, monotonicMs());
        response.end(body);
      };
      if (path === '/moved.js') {
        response.writeHead(302, { location: '/script.js' });
        end();
      } else if (path === '/never' || path === '/given-up') response.writeHead(200).flushHeaders();
      else if (path === '/script.js') {
        response.writeHead(200, { 'content-type': 'text/javascript' }).write('1;');
        setTimeout(() => end('2;'), BODY_MS);
      } else {
        response.writeHead(200, { 'content-type': 'text/html' });
        end(pages[path]);
      }
    });
    const port = portOf(await listenLocally(server));
    origin = `http://127.0.0.1:${port}`;
    pages['/'] = `<iframe src="http://localhost:${port}/frame.html"></iframe><script src="/moved.js"></script><script>
      fetch('/never'); const giveUp = new AbortController(); fetch('/given-up', { signal: giveUp.signal }).then(() => giveUp.abort());</script>`;
    userDataDir = await mkdtemp(join(tmpdir(), 'firstscreen-ends-'));
    running = await launchChromium(CHROMIUM, { userDataDir, viewport: VIEWPORT, caSpki: '', hasExtension: false });
    page = await ChromiumPage.of(running.page);
    await page.record(VIEWPORT);
    await page.navigate(`${origin}/`);
    await vi.waitFor(() => expect(page.requestStates().ended.map(({ url }) => new URL(url).pathname)).toEqual(expect.arrayContaining(['/', '/frame.html', '/script.js', '/given-up'])), { timeout: 20_000 });
  });

  afterAll(async () => {
    await running.close();
    await endServer(server);
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  it.each(['/', '/frame.html', '/moved.js', '/script.js'])('has the end of %s on the clock of the link, not before its server has sent all of it', (path) => {
    const ends = page.requestStates().ended.filter(({ url }) => new URL(url).pathname === path).map(({ atMs }) => atMs);
    expect(Math.min(...ends)).toBeGreaterThan(servedMs.get(path) ?? Infinity);
    expect(Math.max(...ends)).toBeLessThan(monotonicMs());
  });

  it('takes what the page itself has given up for ended, and knows what is still waited for', () => {
    const { open, ended } = page.requestStates();
    expect([...open]).toEqual([`${origin}/never`]);
    expect(ended.map(({ url }) => url)).not.toContain(`${origin}/never`);
  });
});
