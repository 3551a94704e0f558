import { originOf } from '../../../../shared/src/page/origin.ts';
import type { ColdConnections } from '../../platform/coldConnections.ts';
import type { HelperLink } from '../helperLink.ts';

/** Has loads begin as first visits do: without connections, neither the browser's nor the helper's. */
export class ColdStart {
  private readonly browser: Omit<ColdConnections, 'request' | 'disturbs'>;
  private readonly helper: Pick<HelperLink, 'can' | 'ask'>;
  private readonly usesHelper: () => boolean;

  /** @param usesHelper whether the browser goes by the helper now */
  constructor(browser: ColdStart['browser'], helper: ColdStart['helper'], usesHelper: () => boolean) {
    this.browser = browser;
    this.helper = helper;
    this.usesHelper = usesHelper;
  }

  async isPossible(): Promise<boolean> {
    return (!this.usesHelper() || this.helper.can('closeConnections')) && this.browser.mayClose();
  }

  /** @returns whether the load of this page that follows begins so */
  async prepare(url: string): Promise<boolean> {
    if (!(await this.isPossible())) return false;
    await this.browser.close();
    // after the browser's, with which its tunnels end
    return !this.usesHelper() || (await this.helper.ask('closeConnections', { origin: originOf(url) })) !== null;
  }

  /** It is needed no more. */
  giveUp(): Promise<void> {
    return this.browser.giveUp();
  }
}
