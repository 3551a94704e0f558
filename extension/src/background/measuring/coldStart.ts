import { originOf } from '../../../../shared/src/page/origin.ts';
import type { ColdConnections } from '../../platform/coldConnections.ts';
import type { HelperLink } from '../helperLink.ts';

/** Has loads begin as first visits do: without connections, neither the browser's nor the helper's. */
export class ColdStart {
  private readonly browser: ColdConnections;
  private readonly helper: Pick<HelperLink, 'can' | 'ask'>;
  private readonly usesHelper: () => boolean;

  /** @param usesHelper whether the browser goes by the helper now */
  constructor(browser: ColdConnections, helper: ColdStart['helper'], usesHelper: () => boolean) {
    this.browser = browser;
    this.helper = helper;
    this.usesHelper = usesHelper;
  }

  get isPossible(): boolean {
    return !this.needsHelper || this.helper.can('closeConnections');
  }

  /** @returns whether the load of this page that follows begins so */
  async prepare(url: string): Promise<boolean> {
    if (!this.isPossible) return false;
    const closed = this.needsHelper ? await this.helper.ask('closeConnections', { origin: originOf(url) }) : null;
    if (this.needsHelper && closed === null) return false;
    await this.browser.close(closed?.port ?? null);
    return true;
  }

  private get needsHelper(): boolean {
    return this.browser.needsHelper || this.usesHelper();
  }
}
