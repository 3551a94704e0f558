import type { ExtensionMessageOf, HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { LRUCache } from 'lru-cache';
import { RELAY_OWN_HOST, type RelayLink } from '../../../shared/src/relay/relayLink.ts';
import type { ConnectionsStatus, HelperLack, RelayStatus, TrustStatus } from '../messages/status.ts';
import type { ProxyRoute } from '../platform/proxyRoute.ts';
import { Turns } from '../platform/turns.ts';
import type { ProxyPlan } from '../proxy/pac.ts';
import { haveSameHosts, Sites, type SiteHosts } from '../settings/sites.ts';
import { Backoff } from './backoff.ts';
import type { HelperLink } from './helperLink.ts';
import { logFailure } from './log.ts';

/** A page may have many bad hosts; the script that names them must stay small. The oldest are tried again. */
const MAX_LEFT_HOSTS = 500;
/** URLs allow more in a host, as `*`, which stands for any text in the rules that left hosts become; no server has such a name. */
const PLAIN_HOST = /^([a-z\d._-]+|\[[\da-f:.]+\])$/i;

/**
 * By whom requests go (by the browser itself also where a link needs no help), with the helper's two ways for encrypted
 * ones; or who did not do it when they were to go by the helper.
 */
type OwnConnectionsState = Exclude<ConnectionsStatus, HelperLack | 'otherProxy' | 'paused'>;

/** Of which pages the helper foresees no images. */
type SavedPages = ExtensionMessageOf<'saveData'>['payload'];

/** Whether the browser trusts the certificates of the helper that has this host of its own. */
export type TrustCheck = (ownHost: string) => Promise<boolean>;

/** Resolves when it has been heeded what the helper knows of the network: on a fast one it is not asked for a proxy. */
export type NetworkLook = () => Promise<unknown>;

/**
 * Sends the browser's requests through the helper, or without one through the user's relay, while it is there and wanted, and takes that back at once when it is
 * not: what goes where is always one of the two, whatever comes in between.
 */
export class OwnConnections {
  private readonly helper: HelperLink;
  private readonly route: ProxyRoute;
  private readonly trusts: TrustCheck;
  private readonly changed: () => void;
  private readonly lookedAtNetwork: NetworkLook;
  private readonly leftHosts = new LRUCache<string, true>({ max: MAX_LEFT_HOSTS });
  private sites: SiteHosts = Sites.NONE;
  private relay: RelayLink | null = null;
  private isRelayPaused = false;
  /** Nobody else can ask whether there is a relay. */
  private readonly relayOwnHost = `${crypto.randomUUID()}.${RELAY_OWN_HOST}`;
  private readonly relayBackoff = new Backoff();
  private relayUse: 'none' | 'inUse' | 'silent' = 'none';
  private saved: SavedPages = { inGeneral: false, on: [], off: [] };
  /** Undefined until it is said. */
  private wanted: ExtensionMessageOf<'proxy'>['payload'] | null | undefined;
  /** Undefined until it is known that nothing is left of a browser that ended while it was set. */
  private plan: ProxyPlan | null | undefined;
  state: OwnConnectionsState = 'browser';
  /** As it was seen last of the helper that is there: it holds also while requests go by the browser. */
  trust: TrustStatus = 'unknown';
  /** Whether somebody else was seen to say where requests go. */
  areOthers = false;
  private pays = true;
  /** A helper that starts on a busy machine may answer too late, and a proxy that it would go past may go: it is asked again. */
  private readonly helperBackoff = new Backoff();
  private retry: ReturnType<typeof setTimeout> | undefined;
  private readonly changes = new Turns();

  /**
   * @param trusts asked while the browser goes by the helper
   * @param changed the state is another one now
   */
  constructor(helper: HelperLink, route: ProxyRoute, trusts: TrustCheck, changed: () => void, lookedAtNetwork: NetworkLook = () => Promise.resolve()) {
    this.helper = helper;
    this.route = route;
    this.trusts = trusts;
    this.changed = changed;
    this.lookedAtNetwork = lookedAtNetwork;
  }

  /** @param wanted null for the browser's own connections */
  async want(wanted: ExtensionMessageOf<'proxy'>['payload'] | null): Promise<void> {
    if (this.wanted !== undefined && this.wanted?.mayRemember === wanted?.mayRemember) return;
    this.wanted = wanted;
    return this.update();
  }

  /**
   * @param relay to use where there is no helper, whose own relay is used else; null for none
   * @param isPaused whether it is not to be used for the moment
   */
  async useRelay(relay: RelayLink | null, isPaused = false): Promise<void> {
    const isOther = JSON.stringify(relay) !== JSON.stringify(this.relay);
    if (!isOther && isPaused === this.isRelayPaused) return;
    [this.relay, this.isRelayPaused] = [relay, isPaused];
    if (isOther) this.relayBackoff.end();
    await this.update();
  }

  /** The relay does not answer any more: it is left alone for a time. */
  async relayLost(): Promise<void> {
    if (!this.isRelayed) return;
    this.relayBackoff.begin(Date.now());
    await this.update();
  }

  /** Sites that are off go by the browser itself from now on, and the helper opens and foresees what it may. */
  async heed(sites: SiteHosts, saved: SavedPages): Promise<void> {
    if (haveSameHosts(sites, this.sites) && JSON.stringify(saved) === JSON.stringify(this.saved)) return;
    [this.sites, this.saved] = [sites, saved];
    await this.changes.take(async () => {
      // with the next plan, if there is none
      if (!this.plan) return;
      this.tellSites();
      await this.set({ ...this.plan, offHosts: this.offHosts });
    });
  }

  /** Whether the link is so slow that the helper gains more than it costs. */
  async doesPay(pays: boolean): Promise<void> {
    if (pays === this.pays) return;
    this.pays = pays;
    await this.update();
  }

  /** The helper can not do what a host needs. @returns whether the browser goes there itself from now on */
  async leave(host: string): Promise<boolean> {
    if (!PLAIN_HOST.test(host)) return false;
    this.leftHosts.set(host, true);
    return this.changes.take(async () => !this.plan || this.plan.leftHosts.includes(host) || this.set({ ...this.plan, leftHosts: this.plan.relayHost === undefined ? [...this.leftHosts.rkeys()] : this.leftByRelay }));
  }

  /** Whether the user has made an authority since the helper that is there has started: only the next one uses it. */
  async hasNewAuthority(): Promise<boolean> {
    if (this.trust !== 'none' || !this.wanted) return false;
    return (await this.helper.ask('proxy', this.wanted))?.canIntercept === true;
  }

  get relayStatus(): RelayStatus {
    if (this.relay === null) return 'none';
    if (this.relayUse !== 'none') return this.relayUse;
    if (this.helper.state === 'connected') return 'helper';
    if (this.isRelayPaused) return 'paused';
    return this.pays ? 'starting' : 'notNeeded';
  }

  /** Whether the browser goes by the relay, without a helper. */
  get isRelayed(): boolean {
    return this.relayUse === 'inUse';
  }

  /** Whether the browser goes by the helper. */
  get areUsed(): boolean {
    return this.state === 'tunnel' || this.state === 'intercepted';
  }

  /** Resolves when nothing is being changed. */
  settled(): Promise<unknown> {
    return this.changes.over();
  }

  /** Whether the browser goes by whom it is to, also where that is itself because the link needs no help. */
  get areAsWanted(): boolean {
    return this.wanted ? this.areUsed || this.state === 'notNeeded' : !this.areUsed;
  }

  /** Somebody else has come to say where requests go, or says it no more: told also where nobody wants the connections, as who looks at their switch is to see it. */
  othersChanged(): Promise<void> {
    this.changed();
    return this.update();
  }

  /** Decides anew: the helper has come or gone, or something else is wanted. */
  update(): Promise<void> {
    return this.changes.take(async () => {
      // the settings are not read yet
      if (this.wanted === undefined) return;
      const before = this.standing;
      await this.decide();
      if (this.standing !== before) this.changed();
      this.retryIfRefused();
    });
  }

  /** What others are told of. */
  private get standing(): string {
    return [this.state, this.trust, this.relayUse].join();
  }

  private retryIfRefused(): void {
    clearTimeout(this.retry);
    if (this.relayUse === 'silent') {
      this.retry = setTimeout(() => void this.update(), this.relayBackoff.leftMs(Date.now()));
      return;
    }
    if (this.state !== 'helperRefused') {
      this.helperBackoff.end();
      return;
    }
    this.retry = setTimeout(() => void this.update(), this.helperBackoff.begin(Date.now()));
  }

  /** Until it is known by whom requests go from now on, the state is that of those before: whoever asks meanwhile is told of no change that is none. */
  private async decide(): Promise<void> {
    const proxied = await this.proxied();
    if (typeof proxied === 'string') {
      this.state = proxied;
      this.relayUse = await this.goByRelay();
      if (this.relayUse === 'inUse') return;
      // of the run of this script before: a relay goes on until it is known whether there is a helper
      if (this.plan === undefined && this.relay !== null && this.helper.state === 'connecting') return;
      if (this.plan !== null) await this.set(null);
      return;
    }
    const { canIntercept, ...plan } = proxied;
    this.tellSites();
    const isAnother = this.plan?.ownHost !== plan.ownHost;
    const isSet = await this.set({ ...plan, leftHosts: [...this.leftHosts.rkeys()], offHosts: this.offHosts });
    this.relayUse = 'none';
    if (!isSet) this.state = 'browserRefused';
    else if (isAnother || !this.areUsed) this.state = 'tunnel';
    if (!isSet) return;
    // a browser that has the certificate elsewhere, or not yet, would show an error at every page
    this.trust = !canIntercept ? 'none' : (await this.trusts(plan.ownHost)) ? 'trusted' : 'notTaken';
    if (this.trust !== 'trusted') {
      this.state = 'tunnel';
      return;
    }
    // from now on it may, whether its answer is in time or not: the user is never told less than what is so
    this.state = 'intercepted';
    await this.helper.ask('intercept', {});
  }

  /** @returns how the browser goes by the relay now */
  private async goByRelay(): Promise<'none' | 'inUse' | 'silent'> {
    const isUsed = this.plan?.relayHost !== undefined;
    // while a helper is looked for nobody knows
    if (this.relay === null || this.isRelayPaused || this.helper.state === 'connected' || (this.helper.state === 'connecting' && !isUsed)) return 'none';
    if (!this.pays || !(await this.isOurs())) return 'none';
    if (this.relayBackoff.leftMs(Date.now()) > 0) return 'silent';
    const { host, port, user, token } = this.relay;
    const next: ProxyPlan = { relayHost: host, port, ownHost: this.relayOwnHost, username: user, password: token, leftHosts: this.leftByRelay, offHosts: this.sites.offHosts };
    // a helper is looked for again and again, and pages are under way
    const isSet = JSON.stringify(next) === JSON.stringify(this.plan) || (await this.set(next));
    if (isSet) this.relayBackoff.end();
    else this.relayBackoff.begin(Date.now());
    return isSet ? 'inUse' : 'silent';
  }

  /** Where the browser can not say it, somebody else may have said where requests go. */
  private async isOurs(): Promise<boolean> {
    const isOurs = (await this.route.isOurs().catch(logFailure('connections', 'it is not known who says where requests go'))) === true;
    this.areOthers = !isOurs;
    return isOurs;
  }

  /** The relay does not go to the machine that it runs on. */
  private get leftByRelay(): readonly string[] {
    return this.relay === null ? [] : [...new Set([...this.leftHosts.rkeys(), this.relay.host])];
  }

  /** @returns the helper's proxy, or why the browser does without */
  private async proxied(): Promise<HelperMessageOf<'proxied'>['payload'] | 'browser' | 'notNeeded' | 'helperRefused'> {
    if (!this.helper.can('proxy')) this.trust = 'unknown';
    if (!this.wanted || !this.helper.can('proxy') || !(await this.isOurs())) return 'browser';
    await this.lookedAtNetwork();
    if (!this.pays) return 'notNeeded';
    return (await this.helper.ask('proxy', this.wanted)) ?? 'helperRefused';
  }

  /** An older helper can not be told what it may not open: that goes by the browser itself then. */
  private get offHosts(): readonly string[] {
    // a relay opens nothing
    if (this.plan?.relayHost !== undefined) return this.sites.offHosts;
    return this.helper.can('tunnelOnly') ? this.sites.offHosts : this.sites.tunnelOnlyHosts;
  }

  /** Before anything that it could open or foresee. */
  private tellSites(): void {
    if (this.helper.can('tunnelOnly')) this.helper.tell('tunnelOnly', { hosts: [...this.sites.tunnelOnlyHosts] });
    if (this.helper.can('saveData')) this.helper.tell('saveData', this.saved);
  }

  private async set(plan: ProxyPlan | null): Promise<boolean> {
    const isSet = await this.route.set(plan);
    if (isSet) this.plan = plan;
    return isSet;
  }
}
