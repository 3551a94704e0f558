import { coldConnections } from '#platform/coldConnections.ts';
import { createGate } from '#platform/gate.ts';
import { createProxyRoute } from '#platform/proxyRoute.ts';
import { isWithoutContentScripts } from '#platform/restrictedSites.ts';
import { MAX_NEEDED_OBJECTS, MAX_NEEDED_ORIGINS } from '../../../shared/src/memory/neededObject.ts';
import { originOf } from '../../../shared/src/page/origin.ts';
import { linkOfHandshake, type LinkEstimate } from '../../../shared/src/estimation/link.ts';
import type { HelperMessageOf } from '../../../shared/src/protocol/native.ts';
import { verdictOf } from '../../../shared/src/scheduling/payoff.ts';
import { closeStorage } from '../settings/closedStorage.ts';
import { watchDataConsent } from '../settings/dataConsent.ts';
import { forgetFirstScreens } from '../settings/firstScreens.ts';
import { forgetTimesOf } from '../settings/firstScreenTimes.ts';
import { keptLinkOf } from '../settings/keptLink.ts';
import { readRelayLink } from '../settings/relayLink.ts';
import { readSettings, watchSettings } from '../settings/settings.ts';
import { Sites } from '../settings/sites.ts';
import { readSites } from '../settings/siteStore.ts';
import { hasSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import { withoutFragment } from '../urls/imageUrls.ts';
import { announceNavigation } from './announceNavigation.ts';
import { AskedPages } from './askedPages.ts';
import { acceptDocuments } from './documentPorts.ts';
import { Documents } from './documents.ts';
import { helpExtent, type HelpExtent } from './helpExtent.ts';
import { HelperLink } from './helperLink.ts';
import { HistoryFollower } from './historyFollower.ts';
import { KnownNetwork } from './knownNetwork.ts';
import { LinkTraffic } from './linkTraffic.ts';
import { LinkWatch } from './linkWatch.ts';
import { ColdStart } from './measuring/coldStart.ts';
import { PageTimings } from './measuring/pageTimings.ts';
import { browsersLink, firstLink, keepLink } from './linkStore.ts';
import { LoadsWithout, PAUSE_MS } from './loadsWithout.ts';
import { logFailure, loggedCodes } from './log.ts';
import { isLinkMetered } from './metering.ts';
import { NetworkWatcher } from './networkWatcher.ts';
import { answerOptionsPage } from './optionsPage.ts';
import { isOrdinaryTab } from './ordinaryTab.ts';
import { OwnConnections } from './ownConnections.ts';
import { Panels } from './panels.ts';
import { Payoff } from './payoff.ts';
import { Popups } from './popups.ts';
import { RelayBeats } from './relayBeats.ts';
import { Bursts } from './bursts.ts';
import { RankTeller } from './rankTeller.ts';
import { profileName } from './profileName.ts';
import { Standing } from './standing.ts';
import { answerPopup, driverReport } from './status.ts';
import { ToolbarIcon } from './toolbarIcon.ts';
import { trustsHelper } from './trustCheck.ts';
import { watchUpgradedHosts } from './upgradedHosts.ts';
import { answerWelcomePage } from './welcomePage.ts';

/** What tests change; nothing in what ships. */
export interface Conditions {
  /** Taken for the link instead of what is measured: loopback is fast. */
  readonly fixedLink: LinkEstimate | null;
  /** Every image is held when it is asked for, whatever the link has to do. */
  readonly holdsAll: boolean;
}

/** What is being asked for while all is left to the browser has gone by then. */
const LEAVE_MS = 1_000;
/** An update waits for so long before it looks again whether a page of the extension is open. */
const LOOKED_AT_MS = 10_000;

/**
 * Composes the background script. Call synchronously at the top level: a worker that is woken by an event gets it only
 * for listeners that are added there.
 */
export function startBackground(readConditions: () => Promise<Conditions>): void {
  let conditions: Conditions = { fixedLink: null, holdsAll: false };
  let isLeaving = false;
  let isRemembering = false;
  let sites = Sites.NONE;
  let isSavingInGeneral = false;
  /** Null where the settings could not be applied. */
  let setting: Promise<true | null> = Promise.resolve(true);
  // a gate holds from the start: the worker may have been woken by a request
  let held: HelpExtent['held'] = 'all';

  const popups = new Popups();
  const loadsWithout = new LoadsWithout();
  const traffic = new LinkTraffic();
  const route = createProxyRoute((tabId) => loadsWithout.has(tabId), () => void connections.othersChanged());
  const helper: HelperLink = new HelperLink({ changed: helperChanged, leave: (host) => connections.leave(host), link: heardOfLink, networkChanged: () => network.networkChanged(), requests: (requests) => panels.requests(requests) });
  const history = new HistoryFollower(helper, forgetTimesOf);
  const connections = new OwnConnections(helper, route, trustsHelper, connectionsChanged, () => network.looked());
  const relayBeats = new RelayBeats({ isThere: (limitMs) => route.isRelayThere(limitMs), goesByRelay: isOrdinaryTab, lost: () => connections.relayLost(), leave: (host) => connections.leave(host), now });
  const payoff = new Payoff({ link: () => traffic.estimate(), handshakeLink: (rttMs) => traffic.fixedLink ?? linkOfHandshake(rttMs), mayStepAside: () => !connections.areUsed, isLoading: () => documents.isHolding, isMeasured: () => traffic.shown !== null, changed: payoffChanged, rested: () => network.rested() });
  const network: KnownNetwork = new KnownNetwork(helper, {
    mayTellOf: isOrdinaryTab,
    verdict: (bytes) => traffic.shown && verdictOf(traffic.shown, bytes),
    isFast() {
      // of a helper that comes later: what was measured since counts
      if (traffic.shown === null) payoff.begin(false);
    },
    isOther(wasFast) {
      traffic.networkChanged(browsersLink());
      keepLink(traffic.known);
      payoff.begin(!wasFast);
    },
  });
  const teller = new RankTeller((images) => helper.tell('ranks', { images }));
  const askedImages = new Bursts((images) => {
    if (helper.can('asking')) helper.tell('asking', { images });
  });
  const panels: Panels = new Panels({
    recording: (isWanted) => {
      if (helper.can('record')) helper.tell('record', { isWanted });
    },
    link() {
      const { rateBitsPerSecond, rttMs, isRateMeasured } = traffic.linkNow;
      return { atMs: now(), rateBitsPerSecond, rttMs, isMeasured: isRateMeasured };
    },
    state: async () => ({ isHelping: connections.areUsed || (gate !== null && held === 'all'), helper: helper.state, canRecord: helper.can('record'), connections: connections.state, driver: await driverReport(helper) }),
  });
  const links = new LinkWatch({ isMetered: isLinkMetered, mayWatch: (url, tabId) => !isOff(url, tabId) && !savesData(url), pointed: (link) => helper.tell('pointed', link) });
  const gate = createGate({ mayPass: (request) => documents.mayPass(request), held: (request) => documents.held(request), gaveUp: (key, url) => documents.gaveUp(key, url), isConnected: (key) => documents.isConnected(key) });
  const documents: Documents = new Documents(gate, traffic, {
    holdsAll: () => conditions.holdsAll,
    orders: () => held === 'all',
    isOff,
    savesData: (page, tabId) => held !== 'nothing' && savesData(page ?? askedPages.latest(tabId)),
    ordersHttps: () => connections.state === 'intercepted',
    wantsRanks: () => connections.areUsed && helper.can('ranks'),
    asking: (url) => askedImages.add(url),
    ranked: (ranks) => teller.ranked(ranks),
    counted: () => popups.changed(),
    pageChanged({ tabId, page, isPrivate }, key) {
      // a tab may have an empty document first
      if (page?.startsWith('http') === true && loadsWithout.shown(tabId, key)) queueSetting();
      popups.changed();
      icon.pageChanged(tabId, { url: page ?? undefined, isPrivate });
    },
    gated: (tabId, event) => panels.gated(tabId, event),
    now,
  });
  traffic.isCarried = (url) => connections.state === 'intercepted' || (connections.areUsed && url.startsWith('http:'));
  const askedPages = new AskedPages();
  const timings = new PageTimings({
    settled: () => setting,
    apply: inForce,
    helps: () => (gate !== null && held === 'all') || connections.areUsed || connections.isRelayed,
    isOff,
    isPausing,
    wasPosted: (tabId, url) => askedPages.wasPosted(tabId, withoutFragment(url)),
    hasMemory: () => helper.can('memory') && connections.areUsed,
    link: () => keptLinkOf(traffic.linkNow),
    coldStart: new ColdStart(coldConnections, helper, () => connections.areUsed),
  });
  const standing = new Standing({ documents, loadsWithout, traffic, payoff, helper, connections, route, hasGate: gate !== null, sites: () => sites, isRestricted: isWithoutContentScripts, isPausing, isComparing: () => timings.influence?.side === 'without' });
  const icon = new ToolbarIcon(() => standing.outlook());
  const watcher = new NetworkWatcher(traffic, {
    tabChanged: (tabId) => documents.tabChanged(tabId),
    answered() {
      payoff.answered();
      panels.linkChanged();
    },
    arrived: (bytes) => network.arrived(bytes),
    requested: () => payoff.requested(),
    navigated(tabId, url, isRedirected, method, atMs) {
      if (loadsWithout.navigated(tabId, isRedirected)) queueSetting();
      documents.navigated(tabId, atMs);
      timings.navigated(tabId);
      askedPages.navigated(tabId, withoutFragment(url), isRedirected, method);
      keepLink(traffic.known);
      void network.navigated(tabId);
      // nobody tells when they are gone (Firefox)
      if (connections.areOthers) void connections.update();
      void announceNavigation(tabId, url, () => mayAnnounce(url, tabId), (page) => helper.tell('navigating', { url: page }));
    },
    fontAsked: (tabId, url) => askedPages.fontAsked(tabId, url),
  });

  watcher.watch(gate === null ? 'layoutFiles' : 'all', now());
  const watchUpgrades = watchUpgradedHosts((tabId) => connections.areUsed && !isOff(askedPages.latest(tabId) ?? '', tabId), (hosts) => helper.tell('upgraded', { hosts }));
  acceptDocuments(documents, {
    // of measured loads nothing is learnt
    mayRemember: (url, tabId) => isRemembering && helper.can('memory') && !isOff(url, tabId) && !timings.isOwn(tabId),
    learn(tabId, address, { objects, origins }) {
      const url = withoutFragment(address);
      const { asked, fonts } = askedPages.of(tabId, url);
      const all = [...objects, ...fonts.map((font) => ({ url: font, kind: 'font' as const }))];
      helper.tell('visited', { url, asked, objects: all.slice(0, MAX_NEEDED_OBJECTS), origins: [...new Set([...origins, ...fonts.map(originOf)])].slice(0, MAX_NEEDED_ORIGINS) });
    },
  }, links, panels, timings);
  timings.accept();
  chrome.tabs.onRemoved.addListener((tabId) => {
    timings.tabRemoved(tabId);
    documents.forgetTab(tabId);
    traffic.forgetTab(tabId, now());
    askedPages.forgetTab(tabId);
    icon.forgetTab(tabId);
    if (loadsWithout.forgetTab(tabId)) queueSetting();
  });
  answerPopup({
    async status(tabId) {
      // who has changed one asks at once
      await setting;
      return standing.status(tabId);
    },
    loadWithout,
  });
  answerOptionsPage(helper, () => ({ helperVersion: helper.version, link: traffic.estimate(), loggedCodes: loggedCodes() }));
  answerWelcomePage(async () => {
    await helper.look();
    if (await connections.hasNewAuthority()) await helper.renew();
  });
  closeStorage();
  popups.accept();
  history.follow();
  panels.accept();
  chrome.runtime.onUpdateAvailable.addListener(makeWayForUpdate);
  watchSettings(queueSetting);
  watchSiteAccess(queueSetting);
  watchDataConsent();
  void firstLink().then((link) => traffic.assume(link));
  helper.connect();
  queueSetting();

  /**
   * Chromium updates no extension whose worker runs, and the helper's port keeps it running until the browser ends: so
   * the moment is ours. A request that is asked for while the browser takes away an extension that could answer may be
   * forgotten by it (Chromium 156: a test that reloads it under a policy failed in 2 of 19 runs). So all is left to the
   * browser first, and the new version starts when everything has gone.
   */
  function makeWayForUpdate(): void {
    // who has a page of ours open would lose it, and a measurement or what a panel has recorded with it
    if (popups.areOpen || panels.areOpen) {
      setTimeout(makeWayForUpdate, LOOKED_AT_MS);
      return;
    }
    isLeaving = true;
    queueSetting();
    setTimeout(() => chrome.runtime.reload(), LEAVE_MS);
  }

  function heardOfLink({ rttMs, rateBitsPerSecond, seenBitsPerSecond }: HelperMessageOf<'link'>['payload']): void {
    traffic.estimator.roundTrip(rttMs, now());
    // what ends after the browser has been told to go by itself says nothing of its own requests
    if (connections.areUsed) [traffic.carriedRate, traffic.carriedSeenRate] = [rateBitsPerSecond, seenBitsPerSecond];
    payoff.roundTrip(rttMs);
    panels.linkChanged();
  }

  function helperChanged(): void {
    teller.forget();
    payoff.helperChanged();
    // before it is asked for a proxy
    network.helperChanged();
    popups.changed();
    icon.changed();
    panels.stateChanged();
    void connections.update();
    void history.tell();
  }

  function connectionsChanged(): void {
    relayBeats.watch(connections.isRelayed);
    popups.changed();
    panels.stateChanged();
    if (connections.areUsed) documents.ranksAreWanted();
    else [traffic.carriedRate, traffic.carriedSeenRate] = [null, null];
    queueSetting();
  }

  function payoffChanged(): void {
    popups.changed();
    void connections.doesPay(payoff.pays);
    queueSetting();
  }

  /** Applies the settings. @returns whether requests go by whom they say */
  async function inForce(): Promise<boolean> {
    queueSetting();
    await setting;
    await connections.settled();
    // which may have brought another one
    return (await setting) === true && connections.areAsWanted && !isPausing();
  }

  /** Whether nothing is done for a page, or for what a tab shows now, where the browser does not tell which it is. */
  function isOff(page: string | null, tabId: number): boolean {
    return loadsWithout.has(tabId) || sites.isOff(page ?? askedPages.latest(tabId));
  }

  /** Whether requests of all tabs go by the browser itself, as those of one may not go by the helper. */
  function isPausing(): boolean {
    return !route.knowsTabs && loadsWithout.isPausing(now());
  }

  /** @returns whether the page of the tab is being loaded, once without Firstscreen */
  async function loadWithout(tabId: number): Promise<boolean> {
    loadsWithout.ask(tabId, now());
    // the helper's connections come back; the wall clock may be a little behind timers
    setTimeout(queueSetting, PAUSE_MS + 1_000);
    queueSetting();
    await setting;
    await connections.settled();
    try {
      // what is broken may be in the cache
      await chrome.tabs.reload(tabId, { bypassCache: true });
      return true;
    } catch {
      // the tab is gone
      loadsWithout.forgetTab(tabId);
      queueSetting();
      return false;
    }
  }

  /** One after the other, so that the last change is the one that stays. */
  function queueSetting(): void {
    setting = setting.then(applySettings).then(() => true as const).catch(logFailure('settings', 'the settings were not applied'));
  }

  async function applySettings(): Promise<void> {
    const [settings, hasAccess, read, sitesNow, relayLink] = await Promise.all([readSettings(), hasSiteAccess(), readConditions(), readSites(), readRelayLink()]);
    conditions = read;
    [sites, isSavingInGeneral] = [sitesNow, settings.dataSaver];
    traffic.fixedLink = read.fixedLink;
    if (read.fixedLink !== null) payoff.requested();
    timings.settingsAre(settings, sites);
    const { influence } = timings;
    const isEnabled = settings.enabled && !isLeaving && influence?.side !== 'without';
    // without access to pages nobody could answer the challenge of a proxy, and the browser would ask the user
    const mayRoute = isEnabled && hasAccess;
    const wantsConnections = mayRoute && settings.connections;
    const relay = mayRoute && settings.relay ? relayLink : null;
    const mayRemember = settings.remember && influence?.usesMemory !== false;
    isRemembering = isEnabled && mayRemember;
    network.remember(isEnabled && settings.remember);
    watchUpgrades(wantsConnections);
    links.want(isEnabled && settings.nextPage && !timings.isMeasuring && connections.areUsed && helper.can('nextPage'));
    const { on, off } = gate === null ? Sites.NONE.dataSaverHosts : sites.dataSaverHosts;
    void connections.heed(sites, { inGeneral: gate !== null && isSavingInGeneral, on: [...on], off: [...off] });
    void connections.want(wantsConnections && !isPausing() ? { mayRemember, profile: await profileName() } : null);
    void connections.useRelay(relay, isPausing());
    const extent = (pays: boolean): HelpExtent => helpExtent({ isEnabled, hasAccess, hasGate: gate !== null, pays: pays || read.fixedLink !== null, wantsConnections: wantsConnections || relay !== null, savesData: sites.savesAnywhere(isSavingInGeneral) });
    const listening = extent(payoff.listens);
    watcher.watch(listening.watched, now());
    // a page that is loaded anew has the address that it had
    if (listening.watched === 'nothing' && influence === null) void forgetFirstScreens();
    const heldBefore = held;
    ({ held } = extent(payoff.pays));
    if (held !== heldBefore) panels.stateChanged();
    gate?.hold(listening.held !== 'nothing');
    documents.settingsChanged();
    if (held === 'nothing') documents.releaseEverything();
    popups.changed();
    icon.changed();
  }

  /** The gate alone can leave an image. @param url of a page; null for one that is not known */
  function savesData(url: string | null): boolean {
    return gate !== null && sites.savesData(url, isSavingInGeneral);
  }

  /** The browser's own connections are none that the helper could make. */
  function mayAnnounce(url: string, tabId: number): boolean {
    return isRemembering && helper.can('memory') && connections.areUsed && !isOff(url, tabId);
  }
}

/** webRequest stamps with the wall clock, so this does too; only differences of a few seconds are ever used. */
function now(): number {
  return Date.now();
}
