import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import puppeteer, { type Browser, type ElementHandle, type Page } from 'puppeteer-core';
import { FIREFOX } from '../browsers/executables.ts';
import { fakeExtension, type FakeExtension } from './fakeExtension.ts';
import type { Step } from './screenPage.ts';
import type { Look, OpenPage, Size, Stage } from './stage.ts';

/** Of the preference that says what pages are told. */
const SCHEME_VALUES = { dark: 0, light: 1 } as const satisfies Record<Look['scheme'], number>;
const PREFERENCES = {
  'ui.prefersReducedMotion': 1,
  // on pictures others are white
  'ui.useOverlayScrollbars': 1,
  // it stays on
  'ui.caretBlinkTime': 0,
  'gfx.text.subpixel-position.force-enabled': true,
  'gfx.font_rendering.cleartype.always_use_for_content': false,
  'intl.accept_languages': 'en-US',
};

/** One Firefox for each colour scheme: over BiDi nobody can change it in one that runs. */
export class FirefoxStage implements Stage {
  readonly browser = 'firefox';
  private readonly running = new Map<Look['scheme'], Promise<RunningFirefox>>();

  async openPage({ scheme, scale }: Look, size: Size, fake: FakeExtension): Promise<OpenPage> {
    const running = this.running.get(scheme) ?? launch(scheme);
    this.running.set(scheme, running);
    const page = await (await running).browser.newPage();
    await page.setViewport({ ...size, deviceScaleFactor: scale });
    await page.evaluateOnNewDocument(fakeExtension, fake);
    return new FirefoxPage(page, scale);
  }

  async close(): Promise<void> {
    for (const { browser, home } of await Promise.all(this.running.values())) {
      await browser.close();
      await rm(home, { recursive: true, force: true, maxRetries: 5 });
    }
  }
}

interface RunningFirefox {
  readonly browser: Browser;
  readonly home: string;
}

async function launch(scheme: Look['scheme']): Promise<RunningFirefox> {
  const home = await mkdtemp(path.join(tmpdir(), 'firstscreen-screens-'));
  const extraPrefsFirefox = { ...PREFERENCES, 'layout.css.prefers-color-scheme.content-override': SCHEME_VALUES[scheme] };
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: FIREFOX, headless: true, extraPrefsFirefox, env: { ...process.env, HOME: home, TZ: 'UTC' } });
  return { browser, home };
}

class FirefoxPage implements OpenPage {
  private readonly page: Page;
  private readonly scale: Look['scale'];

  constructor(page: Page, scale: Look['scale']) {
    [this.page, this.scale] = [page, scale];
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async evaluate<A, R>(run: (argument: A) => R, argument: A): Promise<Awaited<R>> {
    return (await this.page.evaluate(run as (argument: unknown) => unknown, argument)) as Awaited<R>;
  }

  run(script: string): Promise<unknown> {
    return this.page.evaluate(script);
  }

  async act(step: Step): Promise<void> {
    const element = await this.page.waitForSelector('click' in step ? step.click : step.choose);
    if ('click' in step) await element?.click();
    else await (element as ElementHandle<HTMLInputElement> | null)?.uploadFile(step.file);
  }

  async resize(size: Size): Promise<void> {
    await this.page.setViewport({ ...size, deviceScaleFactor: this.scale });
  }

  async picture(): Promise<Buffer> {
    return Buffer.from(await this.page.screenshot());
  }

  async close(): Promise<void> {
    await this.page.close();
  }
}
