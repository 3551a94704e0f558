import { NO_TAB, type TabStatus } from '../messages/status.ts';
import type { ProxyRoute } from '../platform/proxyRoute.ts';
import { readSettings } from '../settings/settings.ts';
import { hasSiteAccess } from '../settings/siteAccess.ts';
import type { Sites } from '../settings/sites.ts';
import { describePage } from '../situation/describe.ts';
import { factsOf } from '../situation/situation.ts';
import type { Documents } from './documents.ts';
import type { HelperLink } from './helperLink.ts';
import type { LinkTraffic } from './linkTraffic.ts';
import type { LoadsWithout } from './loadsWithout.ts';
import type { OwnConnections } from './ownConnections.ts';
import type { Payoff } from './payoff.ts';
import { driverReport, helperStatus } from './status.ts';
import type { Outlook } from './toolbarIcon.ts';

/** The parts of the background script that there is something to say of. */
export interface Parts {
  readonly documents: Pick<Documents, 'counts' | 'isAnsweredByWorker'>;
  readonly loadsWithout: Pick<LoadsWithout, 'has'>;
  readonly traffic: Pick<LinkTraffic, 'linkNow'>;
  readonly payoff: Pick<Payoff, 'pays'>;
  readonly helper: Pick<HelperLink, 'state' | 'misfit' | 'can' | 'ask'>;
  readonly connections: Pick<OwnConnections, 'state' | 'trust' | 'relayStatus'>;
  readonly route: Pick<ProxyRoute, 'isOurs'>;
  readonly hasGate: boolean;
  sites(): Sites;
  /** Whether the browser lets no extension into a page of the web. */
  isRestricted(url: string): boolean;
  /** Whether the helper's connections are not in use, as a page is loaded without Firstscreen. */
  isPausing(): boolean;
  /** Whether all pages are loaded without Firstscreen, to compare. */
  isComparing(): boolean;
}

type PageStatus = Omit<TabStatus, 'driver' | keyof HelperNow>;
type HelperNow = Awaited<ReturnType<typeof helperStatus>> & Pick<TabStatus, 'relay'>;

/** How things stand, as popup and icon say it. */
export class Standing {
  private readonly parts: Parts;

  constructor(parts: Parts) {
    this.parts = parts;
  }

  async status(tabId: number): Promise<TabStatus> {
    const [ofHelper, driver] = await Promise.all([this.helperNow(), driverReport(this.parts.helper)]);
    return { ...this.pageNow(tabId), ...this.parts.documents.counts(tabId), ...ofHelper, driver };
  }

  /** For the icon, which says nothing of single images. */
  async outlook(): Promise<Outlook> {
    const [settings, hasAccess, ofHelper] = await Promise.all([readSettings(), hasSiteAccess(), this.helperNow()]);
    const facts = (url: string | undefined): ReturnType<typeof factsOf> => factsOf(url, this.parts.sites(), (each) => this.parts.isRestricted(each));
    return {
      ofAll: describePage({ ...settings, hasAccess, isClosed: false, isOffHere: false, isPrivate: false, status: { ...this.pageNow(NO_TAB), ...ofHelper } }),
      of: (tabId, { url, isPrivate }) => describePage({ ...settings, hasAccess, ...facts(url), isPrivate, status: { ...this.pageNow(tabId), ...ofHelper } }),
    };
  }

  /** As if nothing was held. */
  private pageNow(tabId: number): PageStatus {
    const { loadsWithout, documents, payoff, traffic, hasGate } = this.parts;
    return { held: 0, released: 0, inView: 0, left: 0, isWithout: loadsWithout.has(tabId), isComparing: this.parts.isComparing(), isAnsweredByWorker: documents.isAnsweredByWorker(tabId), hasGate, isLinkFast: !payoff.pays, link: traffic.linkNow };
  }

  private async helperNow(): Promise<HelperNow> {
    const { helper, connections, route } = this.parts;
    const isPaused = connections.state === 'browser' && (this.parts.isPausing() || this.parts.isComparing());
    const ofHelper = await helperStatus(helper, { state: isPaused ? 'paused' : connections.state, trust: connections.trust }, route);
    const isOthers = connections.relayStatus === 'starting' && !(await route.isOurs().catch(() => false));
    return { ...ofHelper, relay: isOthers ? 'otherProxy' : connections.relayStatus };
  }
}
