import type { LinkEstimate } from '../../shared/src/estimation/link.ts';
import { Installation, TestBrowser, type InstallationKind } from './browsers.ts';
import { TestServer } from './server.ts';

/** Of one test file: server of its pages, and the extension, ready to be put into browsers. The browsers that it opens end with it. */
export class Ground {
  readonly server: TestServer;
  readonly installation: Installation;
  private readonly browsers: TestBrowser[] = [];

  protected constructor(server: TestServer, installation: Installation) {
    [this.server, this.installation] = [server, installation];
  }

  static async make(kind: InstallationKind = 'managed'): Promise<Ground> {
    return new Ground(await TestServer.start(), await Installation.make(kind));
  }

  /** A browser with the extension, which holds every image from a page's first. */
  openFirstscreen(helper: string | null = null, link?: LinkEstimate): Promise<TestBrowser> {
    return this.keep(TestBrowser.firstscreen(this.server.ownOrigin, this.installation, helper, link));
  }

  /** A browser with the extension as it is installed. */
  openFirstscreenWhenFull(helper: string | null = null, environment?: Readonly<Record<string, string>>): Promise<TestBrowser> {
    return this.keep(TestBrowser.firstscreenWhenFull(this.server.ownOrigin, this.installation, helper, environment));
  }

  async close(): Promise<void> {
    for (const browser of this.browsers) await browser.close();
    await this.installation.remove();
    await this.server.close();
  }

  private async keep(opening: Promise<TestBrowser>): Promise<TestBrowser> {
    const browser = await opening;
    this.browsers.push(browser);
    return browser;
  }
}
