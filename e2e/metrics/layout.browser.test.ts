import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { endServer, listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';
import { launchChromium } from '../browsers/chromium.ts';
import { CHROMIUM } from '../browsers/executables.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import type { FrameInView } from './artifacts.ts';
import { ChromiumPage } from './chromiumPage.ts';
import { FirefoxPage } from './firefoxPage.ts';
import type { MeasuredPage, PageRecord } from './measuredPage.ts';

const VIEWPORT = { width: 800, height: 600 };

/** The pictures 404: the layout is asked what it shows, not whether it came. */
const PAGE = `<!doctype html><html><head><style>
  body { margin: 0; background: url(canvas.png); } img, .box { display: block; width: 50px; height: 50px; }
  .clip { width: 50px; height: 50px; overflow: hidden; position: relative; } .clip img { position: absolute; left: 100px; }
  .static-clip { width: 50px; height: 50px; overflow: hidden; } .static-clip img { position: absolute; left: 100px; top: 300px; }
  .before::before { content: ""; background: url(before.png); } .list { display: list-item; list-style-image: url(bullet.png); }
  @media print { .print { background: url(print.png); } }
</style><link rel="stylesheet" href="print.css" media="print"></head><body>
<img src="seen.png#marker"><img src="hidden.png" style="visibility:hidden"><img src="none.png" style="display:none"><img src="clear.png" style="opacity:0">
<div style="opacity:0"><img src="inclear.png"></div>
<div class="clip"><img src="clipped.png"></div><div class="static-clip"><img src="escaped.png"></div>
<div class="box" style="background:url('quo\\'ted.png')"></div><div class="box before"></div><div class="box list"></div><div class="box print"></div>
<svg width="20" height="20"><image href="vector.png" width="20" height="20"/></svg><video poster="poster.png" width="30" height="20"></video>
<iframe src="/frame.html" style="position:absolute;left:400px;top:500px;width:200px;height:200px;border:5px solid"></iframe>
<iframe src="/far.html" style="position:absolute;left:0;top:2000px"></iframe>
<img src="below.png" style="position:absolute;top:900px"><script>Array.prototype.map = Array.prototype.filter = () => { throw new Error('mine'); };</script></body></html>`;

const FILES: Readonly<Record<string, string>> = {
  '/': PAGE,
  '/frame.html': '<body style="margin:0"><img src="inner.png" width="50" height="50"><img src="innerbelow.png" width="50" height="50" style="position:absolute;top:120px">',
  '/far.html': '<img src="far.png" width="50" height="50">',
};

interface Opened {
  readonly page: MeasuredPage;
  loaded(): Promise<unknown>;
  close(): Promise<void>;
}

async function openChromium(userDataDir: string): Promise<Opened> {
  const running = await launchChromium(CHROMIUM, { userDataDir, viewport: VIEWPORT, caSpki: '', hasExtension: false });
  return { page: await ChromiumPage.of(running.page), loaded: () => running.page.waitForLoadState(), close: () => running.close() };
}

async function openFirefox(userDataDir: string): Promise<Opened> {
  const { browser, page, close } = await launchFirefox({ userDataDir, viewport: VIEWPORT, extension: null, environment: {} });
  return { page: new FirefoxPage(browser, page), loaded: () => page.waitForFunction("document.readyState === 'complete'"), close };
}

describe.each([['Chromium', openChromium], ['Firefox', openFirefox]] as const)('the layout and requests of a page in %s', (_, open) => {
  let server: Server;
  let userDataDir: string;
  let opened: Opened;
  let layouts: PageRecord['layout'];
  let requests: PageRecord['browserRequests'];

  beforeAll(async () => {
    server = await listenLocally(createServer((request, response) => {
      const body = FILES[request.url ?? ''];
      response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'text/html' }).end(body);
    }));
    userDataDir = await mkdtemp(join(tmpdir(), 'firstscreen-layout-'));
    opened = await open(userDataDir);
    await opened.page.record(VIEWPORT);
    await opened.page.navigate(`http://127.0.0.1:${portOf(server)}/`);
    await opened.loaded();
    ({ layout: layouts, browserRequests: requests } = await opened.page.finish(VIEWPORT));
  });

  afterAll(async () => {
    await opened.close();
    await endServer(server);
    await rm(userDataDir, { recursive: true, force: true, maxRetries: 5 });
  });

  it.each([['/', 'document'], ['/frame.html', 'document'], ['/seen.png', 'image'], ['/print.css', 'stylesheet']])('knows that %s is of type %s, and in which frame', (path, type) => {
    const request = requests.find(({ url }) => new URL(url).pathname === path);
    expect(request?.type).toBe(type);
    const frame = layouts.find(({ frameId }) => frameId === request?.frameId);
    expect(new URL(frame?.url ?? '').pathname).toBe(path === '/frame.html' ? path : '/');
  });

  const names = (layout: FrameInView | undefined) => (layout?.images ?? []).map(({ url }) => url.slice(url.lastIndexOf('/') + 1));

  it.each(['seen.png', 'escaped.png', 'canvas.png', "quo'ted.png", 'before.png', 'bullet.png', 'vector.png', 'poster.png'])('sees %s', (name) => {
    expect(names(layouts[0])).toContain(name);
  });

  it.each(['hidden.png', 'none.png', 'clear.png', 'inclear.png', 'clipped.png', 'print.png', 'below.png', 'seen.png#marker'])('does not see %s', (name) => {
    expect(names(layouts[0])).not.toContain(name);
  });

  it('enters the frames that are in view, within what is seen of them, and no others', () => {
    expect(layouts.slice(1).map(({ url }) => new URL(url).pathname)).toEqual(['/frame.html']);
    expect(layouts[1]?.images).toEqual([expect.objectContaining({ kind: 'image', rect: { x: 405, y: 505, width: 50, height: 50 } })]);
  });

  it('names style sheets that do not apply', () => {
    expect(layouts[0]?.unusedStyleSheets.map((url) => new URL(url).pathname)).toEqual(['/print.css']);
  });
});
