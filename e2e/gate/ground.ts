import type { LinkEstimate } from '../../shared/src/estimation/link.ts';
import { Installation, TestBrowser, type InstallationKind } from './browsers.ts';
import { TestServer } from './server.ts';

/** Of one test file: server of its pages, and the extension, ready to be put into browsers. */
export class Ground {
  readonly server: TestServer;
  readonly installation: Installation;

  protected constructor(server: TestServer, installation: Installation) {
    [this.server, this.installation] = [server, installation];
  }

  static async make(kind: InstallationKind = 'managed'): Promise<Ground> {
    return new Ground(await TestServer.start(), await Installation.make(kind));
  }

  /** A browser with the extension, which holds every image from a page's first; to be closed by the caller. */
  openFirstscreen(helper: string | null = null, link?: LinkEstimate): Promise<TestBrowser> {
    return TestBrowser.firstscreen(this.server.ownOrigin, this.installation, helper, link);
  }

  /** A browser with the extension as it is installed; to be closed by the caller. */
  openFirstscreenWhenFull(helper: string | null = null, environment?: Readonly<Record<string, string>>): Promise<TestBrowser> {
    return TestBrowser.firstscreenWhenFull(this.server.ownOrigin, this.installation, helper, environment);
  }

  async close(): Promise<void> {
    await this.installation.remove();
    await this.server.close();
  }
}
