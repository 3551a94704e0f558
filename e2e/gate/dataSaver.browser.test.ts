import { afterAll, beforeAll, describe } from 'vitest';
import type { TestBrowser } from './browsers.ts';
import { itSavesData } from './dataSaver.ts';
import { Ground } from './ground.ts';

/** As the extension is installed by policy. */
describe('the data saver', () => {
  let ground: Ground;
  let browser: TestBrowser;
  beforeAll(async () => {
    ground = await Ground.make();
    browser = await ground.openFirstscreenWhenFull();
  });
  afterAll(() => ground.close());

  itSavesData(() => ({ server: ground.server, newPage: () => browser.context.newPage(), change: (settings) => browser.change(settings) }));
});
