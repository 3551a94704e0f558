import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../shared/src/node/testing/temporaryDirectory.ts';
import { launchFirefox } from '../browsers/firefox.ts';
import { FirefoxPage } from './firefoxPage.ts';

const VIEWPORT = { width: 800, height: 600 };
/** Three intervals between pictures. */
const A_WHILE_MS = 1_500;

it('takes no more pictures when its browser has ended without a page, so that a benchmark ends', async () => {
  const { browser, page, close } = await launchFirefox({ userDataDir: temporaryDirectory(), viewport: VIEWPORT, extension: null, environment: {} });
  let pictures = 0;
  const take = page.screenshot.bind(page) as (options: object) => Promise<Uint8Array>;
  page.screenshot = ((options: object) => {
    pictures += 1;
    return take(options);
  }) as typeof page.screenshot;
  try {
    const measured = new FirefoxPage(browser, page);
    await measured.record(VIEWPORT);
    await expect(measured.navigate('http://127.0.0.1:1/')).rejects.toThrow();
  } finally {
    await close();
  }
  const taken = pictures;
  await sleep(A_WHILE_MS);
  expect(taken).toBeGreaterThan(0);
  // one may have been about to be taken
  expect(pictures).toBeLessThanOrEqual(taken + 1);
});
