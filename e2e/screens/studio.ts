import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { BenchError } from '../bench/errors.ts';
import { EXTENSIONS } from '../browsers/executables.ts';
import { NOW_MS, type FakedWindow, type Texts } from './fakeExtension.ts';
import { readTexts } from './languages.ts';
import { PageServer } from './pageServer.ts';
import { worldOf, type Screen } from './screenPage.ts';
import type { Look, OpenPage, Stage } from './stage.ts';

/** Of a page that is as high as its content, until that is known. */
const FIRST_HEIGHT = 600;
const LIMIT_MS = 5_000;
const POLL_MS = 50;
/** Between two pictures that are to be the same: more than the panel takes to draw what it has heard of. */
const STEADY_MS = 150;

/** A page in a state, at rest. */
export interface ShownScreen {
  readonly page: OpenPage;
  /** PNG of the whole window. */
  readonly picture: Buffer;
}

/**
 * Shows pages of a built extension. Their markup, styles and scripts come as they ship from a server on loopback, and find
 * an API that answers what the state says. As pages of the real extension they would need a helper and a driver with each
 * fault at hand, a Chromium under a policy and one without, and an extension of its own for each language of tests; and
 * Firefox lets no script into them before their own. What only the real one has, its tests have (`e2e/gate`, `e2e/firefox`).
 */
export class Studio {
  readonly stage: Stage;
  /** English. */
  readonly texts: Texts;
  private readonly server: PageServer;
  private readonly version: string;

  private constructor(stage: Stage, texts: Texts, server: PageServer, version: string) {
    [this.stage, this.texts, this.server, this.version] = [stage, texts, server, version];
  }

  /** @param extensionDir a built extension; that of the browser which ships */
  static async open(stage: Stage, extensionDir = path.join(EXTENSIONS, stage.browser)): Promise<Studio> {
    const { version } = JSON.parse(await readFile(path.join(extensionDir, 'manifest.json'), 'utf8')) as { version: string };
    return new Studio(stage, await readTexts(extensionDir, 'en'), await PageServer.start(extensionDir), version);
  }

  /**
   * Opens a page and brings it to its state; to be closed by the caller.
   *
   * @throws BenchError E_SCREEN when it does not come to it, or something goes wrong in the page
   */
  async show(screen: Screen, look: Look, texts = this.texts): Promise<ShownScreen> {
    const { page, state } = screen;
    const height = state.height ?? page.height;
    const size = { width: page.width, height: height === 'whole' ? FIRST_HEIGHT : height };
    const open = await this.stage.openPage(look, size, { world: worldOf(state), texts, version: this.version, nowMs: NOW_MS, isInDevtools: page.isInDevtools === true });
    try {
      await open.goto(`${this.server.origin}/${page.name}.html`);
      await until(open, screen, 'is not ready', () => 'ready' in document.body.dataset, null);
      for (const step of state.steps ?? []) await open.act(step);
      if (texts === this.texts) await until(open, screen, `does not show "${state.shows}"`, (text) => document.body.innerText.includes(text), state.shows);
      if (height === 'whole') await open.resize({ ...size, height: await open.evaluate(() => Math.ceil(document.body.getBoundingClientRect().height), null) });
      const picture = await steadyPicture(open, screen);
      const errors = await errorsIn(open);
      if (errors.length > 0) throw failure(screen, errors.join('; '));
      return { page: open, picture };
    } catch (error) {
      await open.close();
      throw error;
    }
  }

  /** Ends the browser, too. */
  async close(): Promise<void> {
    await this.stage.close();
    await this.server.close();
  }
}

async function until<A>(open: OpenPage, screen: Screen, otherwise: string, isSo: (argument: A) => boolean, argument: A): Promise<void> {
  const deadlineMs = performance.now() + LIMIT_MS;
  while (!(await open.evaluate(isSo, argument))) {
    if (performance.now() > deadlineMs) throw failure(screen, [`it ${otherwise}`, ...(await errorsIn(open))].join('; '));
    await sleep(POLL_MS);
  }
}

function errorsIn(open: OpenPage): Promise<FakedWindow['screenErrors']> {
  return open.evaluate(() => (globalThis as unknown as FakedWindow).screenErrors, null);
}

/** Of a page that has come to rest: two in a row are the same. */
async function steadyPicture(open: OpenPage, screen: Screen): Promise<Buffer> {
  const deadlineMs = performance.now() + LIMIT_MS;
  let last = await open.picture();
  for (;;) {
    await sleep(STEADY_MS);
    const next = await open.picture();
    if (next.equals(last)) return next;
    if (performance.now() > deadlineMs) throw failure(screen, 'it does not come to rest');
    last = next;
  }
}

function failure({ page, state }: Screen, what: string): BenchError {
  return new BenchError('E_SCREEN', `Showing ${page.name}, ${state.name}: ${what}`, `mend the page, or its entry in e2e/screens/pages/${page.name}.ts`);
}
