import { MIN_RATE_BYTES } from '../../../shared/src/estimation/link.ts';
import type { LinkVerdict } from '../../../shared/src/scheduling/payoff.ts';
import type { HelperLink } from './helperLink.ts';

export interface KnownNetworkHost {
  /** Whether a tab's pages may be told of: not those of private windows. */
  mayTellOf(tabId: number): Promise<boolean>;
  /** What a page has shown of the link, of which so much has come; null where that is not clear. */
  verdict(bytes: number): LinkVerdict | null;
  /** The helper has the network in its memory as one that was fast. */
  isFast(): void;
  /** The machine has come to another network. @param wasFast as the helper knows it */
  isOther(wasFast: boolean): void;
}

/**
 * What the helper remembers of the network that the machine is in (docs/adr/0073): asked for at the start of either and
 * in another network, and told what each page has shown. Without a helper that remembers, nothing.
 */
export class KnownNetwork {
  private readonly helper: Pick<HelperLink, 'can' | 'ask' | 'tell'>;
  private readonly host: KnownNetworkHost;
  private mayRemember = false;
  /** Settles when what the helper has said last has been heeded. */
  private look: Promise<unknown> = Promise.resolve();
  /** Since a page was last judged. */
  private hasPage = false;
  private arrivedBytes = 0;

  constructor(helper: KnownNetwork['helper'], host: KnownNetworkHost) {
    [this.helper, this.host] = [helper, host];
  }

  /** The user's setting, when it is read and when it changes. */
  remember(mayRemember: boolean): void {
    if (mayRemember === this.mayRemember) return;
    this.mayRemember = mayRemember;
    this.begin();
  }

  /** There is another helper, or none. */
  helperChanged(): void {
    this.begin();
  }

  /** The helper sees the machine in another network. */
  networkChanged(): void {
    if (!this.mayRemember) return;
    [this.hasPage, this.arrivedBytes] = [false, 0];
    this.look = this.ask().then((wasFast) => {
      this.host.isOther(wasFast);
    });
  }

  /** Settles when it has been heeded what is known of the network. */
  looked(): Promise<unknown> {
    return this.look;
  }

  /** A tab goes to a page. */
  async navigated(tabId: number): Promise<void> {
    if (this.mayRemember && (await this.host.mayTellOf(tabId))) this.hasPage = true;
  }

  /** So much has come over the network. */
  arrived(bytes: number): void {
    this.arrivedBytes += bytes;
  }

  /** Nothing is asked for any more: a page that has brought enough is judged, once. */
  rested(): void {
    if (!this.mayRemember || !this.hasPage || this.arrivedBytes < MIN_RATE_BYTES) return;
    const verdict = this.host.verdict(this.arrivedBytes);
    [this.hasPage, this.arrivedBytes] = [false, 0];
    if (verdict !== null && this.helper.can('networks')) this.helper.tell('judged', { verdict });
  }

  private begin(): void {
    if (!this.mayRemember) return;
    this.look = this.ask().then((wasFast) => {
      if (wasFast) this.host.isFast();
    });
  }

  private async ask(): Promise<boolean> {
    return this.helper.can('networks') && (await this.helper.ask('network', {}))?.wasFast === true;
  }
}
