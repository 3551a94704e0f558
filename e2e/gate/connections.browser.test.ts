import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Bench, html, type VisitOptions } from './harness.ts';
import type { Site, Visit } from './server.ts';

let bench: Bench;
beforeAll(async () => {
  bench = await Bench.start();
});
afterAll(() => bench.close());

const SITE: Site = {
  '/': html('<p>text</p>', '<link rel=stylesheet href="OTHER/s.css?maxage&cors"><script src=slow.js></script>'),
  '/s.css': { type: 'text/css', body: '@font-face{font-family:f;src:url(f.woff2?cors)} p{font-family:f}' },
  '/slow.js': { type: 'text/javascript', body: '' },
};
/** Long after the style sheet is there. */
const SLOW_MS = 700;

describe('connections', () => {
  it('a style sheet that declares fonts has a connection opened for them while a script keeps the layout waiting', async () => {
    const stock = await visitWithSlowScript(bench.stock);
    const firstscreen = await visitWithSlowScript(bench.firstscreen);
    expect(firstscreen.requests).toEqual(stock.requests);
    expect(stock.fontConnectedMs, 'a stock browser connects when the layout asks').toBeGreaterThan(stock.scriptMs);
    expect(firstscreen.fontConnectedMs).toBeLessThan(firstscreen.scriptMs);
  });
});

async function visitWithSlowScript(browser: Bench['stock']): Promise<{ scriptMs: number; fontConnectedMs: number; requests: Readonly<Record<string, number>> }> {
  let seen: Visit | undefined;
  let scriptMs = NaN;
  const options: VisitOptions = {
    prepare: (visit) => {
      seen = visit;
      visit.hold(/slow/);
    },
    drive: async (_, visit) => {
      await new Promise((resolve) => setTimeout(resolve, SLOW_MS));
      scriptMs = performance.now();
      visit.letGo();
    },
  };
  const { requests } = await bench.observe(browser, SITE, options);
  const font = seen?.requests.find(({ name }) => name.includes('.woff2'));
  return { scriptMs, fontConnectedMs: font?.connectedMs ?? NaN, requests };
}
