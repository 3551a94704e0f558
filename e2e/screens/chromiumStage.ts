import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { CHROMIUM } from '../browsers/executables.ts';
import { fakeExtension, type FakeExtension } from './fakeExtension.ts';
import type { Step } from './screenPage.ts';
import type { Look, OpenPage, Size, Stage } from './stage.ts';

/** Text looks the same on every screen: without the subpixels of one, and without scroll bars. */
const SWITCHES = ['--no-sandbox', '--disable-gpu', '--force-color-profile=srgb', '--disable-lcd-text', '--font-render-hinting=none', '--hide-scrollbars'];

export class ChromiumStage implements Stage {
  readonly browser = 'chromium';
  private readonly process: Browser;

  private constructor(process: Browser) {
    this.process = process;
  }

  static async start(): Promise<ChromiumStage> {
    return new ChromiumStage(await chromium.launch({ executablePath: CHROMIUM, args: SWITCHES }));
  }

  async openPage({ scheme, scale, hasForcedColors = false }: Look, viewport: Size, fake: FakeExtension): Promise<OpenPage> {
    const context = await this.process.newContext({
      viewport, deviceScaleFactor: scale, colorScheme: scheme, forcedColors: hasForcedColors ? 'active' : 'none', reducedMotion: 'reduce', locale: 'en-US', timezoneId: 'UTC',
    });
    const page = await context.newPage();
    await page.addInitScript(fakeExtension, fake);
    return new ChromiumPage(context, page);
  }

  close(): Promise<void> {
    return this.process.close();
  }
}

class ChromiumPage implements OpenPage {
  private readonly context: BrowserContext;
  private readonly page: Page;

  constructor(context: BrowserContext, page: Page) {
    [this.context, this.page] = [context, page];
  }

  async goto(url: string): Promise<void> {
    await this.page.goto(url);
  }

  async evaluate<A, R>(run: (argument: A) => R, argument: A): Promise<Awaited<R>> {
    // Playwright's types want to see that the argument can be sent, and it says itself when it can not
    return (await this.page.evaluate(run as (argument: unknown) => unknown, argument)) as Awaited<R>;
  }

  run(script: string): Promise<unknown> {
    return this.page.evaluate(script);
  }

  async act(step: Step): Promise<void> {
    if ('click' in step) await this.page.click(step.click);
    else await this.page.setInputFiles(step.choose, step.file);
  }

  resize(size: Size): Promise<void> {
    return this.page.setViewportSize(size);
  }

  picture(): Promise<Buffer> {
    return this.page.screenshot({ animations: 'disabled' });
  }

  close(): Promise<void> {
    return this.context.close();
  }
}
