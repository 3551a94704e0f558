import { safeParse } from 'valibot';
import type { NeededObject } from '../../../shared/src/memory/neededObject.ts';
import { PAGE_PORT, type BackgroundMessage } from '../../../shared/src/protocol/page.ts';
import { ContentMessageSchema } from '../../../shared/src/protocol/pageSchema.ts';
import { createGate } from '#platform/gate.ts';
import { createProxyRoute } from '#platform/proxyRoute.ts';
import { documentKeyOf } from '../platform/documentKey.ts';
import type { DocumentKey, ImageRequest } from '../platform/gate.ts';
import { readSettings, watchSettings } from '../settings/settings.ts';
import { hasSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import { PAGE_BYTES, isOriginBusy, isWindowFull, wouldWaitInBrowser } from '../../../shared/src/scheduling/releaseWindow.ts';
import { announceNavigation } from './announceNavigation.ts';
import { ExpectedImages } from './expectedImages.ts';
import { ForeseenImages } from './foreseenImages.ts';
import { HelperLink } from './helperLink.ts';
import { HoldingTabs } from './holdingTabs.ts';
import { LinkTraffic } from './linkTraffic.ts';
import { log } from './log.ts';
import { NetworkWatcher } from './networkWatcher.ts';
import { isOrdinary } from './ordinaryTab.ts';
import { OwnConnections } from './ownConnections.ts';
import { Pages } from './pages.ts';
import { Payoff } from './payoff.ts';
import { Planner } from './planner.ts';
import { answerPopup, helperStatus } from './status.ts';
import { greetHelper, trustsHelper } from './trustCheck.ts';
import { UpgradedHosts } from './upgradedHosts.ts';

/** What is being asked for while the gate opens has gone by then. */
const LEAVE_MS = 1_000;
/** What was released has been asked for again by then. */
const RELEASED_MS = 500;
const MAIN_FRAME = 0;

// Listeners are registered synchronously at the top level: a worker that is woken by an event gets it only then.
const ports = new Map<DocumentKey, { readonly port: chrome.runtime.Port; readonly tabId: number }>();
const helper: HelperLink = new HelperLink({ changed: helperChanged, leave: (host) => connections.leave(host), foreseen: heardOfImages, roundTrip: heardOfLink });
const foreseen = new ForeseenImages();
const expected = new ExpectedImages();
const route = createProxyRoute();
const connections = new OwnConnections(helper, route, { greet: greetHelper, trusts: trustsHelper });
const payoff = new Payoff({ link: () => traffic.estimate(), mayStepAside: () => !connections.areUsed, changed: payoffChanged });
const planner = new Planner(helper);
const gate = createGate({ mayPass, held: (request) => pages.held(request), isConnected: (document) => ports.has(document), send });
// a request that was held in the browser goes on with the priority that it had
const traffic = new LinkTraffic({ releasesAreAlike: gate.decidesPerRequest });
const watcher = new NetworkWatcher(traffic, {
  imageEnded: (document, url) => pages.imageEnded(document, url),
  tabChanged: (tabId) => {
    pages.tabChanged(tabId);
    holdingTabs.eased(tabId);
  },
  answered: () => payoff.answered(),
  requested: (tabId) => {
    holdingTabs.requested(tabId);
    payoff.requested();
  },
  imageRequested: (document, tabId, url) => pages.requested(document, tabId, url),
  navigated: (tabId, url) => {
    pages.navigated(tabId);
    void announceNavigation(tabId, url, { mayTell: mayAnnounce, tabOf: (id) => chrome.tabs.get(id), tell: (page) => void helper.ask('navigating', { url: page }) });
    if (!gate.decidesPerRequest && mode === 'whenFull' && !traffic.isSoonThere(now(), PAGE_BYTES)) holdingTabs.navigated(tabId);
  },
});
const holdingTabs = new HoldingTabs({
  isLinkFull: () => traffic.isFull(now(), 'browser'),
  hasRoom: () => !isWindowFull(pages.load(true), false),
  hasHeld: (tabId) => pages.hasHeld(tabId),
  changed: (tabId) => {
    if (mode !== 'whenFull' || gate.decidesPerRequest) return;
    gate.holdIn(holdingTabs.tabs, 'large').then(
      () => sayHoldingTo((documentTabId) => documentTabId === tabId),
      // the rules stay as they were; what is held by them is released all the same
      () => log('error', 'gate', 'E_INTERNAL', 'the browser refused to change the rules of the gate'),
    );
  },
});
const pages: Pages = new Pages(gate, traffic, { plan: (document, snapshot) => planner.plan(document, snapshot), now });

watcher.watch('all', now());
new UpgradedHosts((hosts) => helper.tell({ type: 'upgraded', payload: { hosts } })).watch();
chrome.runtime.onConnect.addListener(acceptPage);
chrome.tabs.onRemoved.addListener((tabId) => {
  holdingTabs.closed(tabId);
  pages.forgetTab(tabId);
  traffic.forgetTab(tabId, now());
});
answerPopup(async (tabId) => ({ ...pages.counts(tabId), ...(await helperStatus(helper, connections, route)) }));
if (gate.decidesPerRequest) chrome.runtime.onUpdateAvailable.addListener(makeWayForUpdate);
watchSettings(queueSetting);
watchSiteAccess(queueSetting);
helper.connect();
let mode: 'off' | 'always' | 'whenFull' = 'off';
let setting = Promise.resolve();
let isLeaving = false;
let isRemembering = false;
let helpsOnAnyLink = false;
queueSetting();

/**
 * A request that is asked for while the browser takes away an extension that could answer may be forgotten by it (Chromium 156: a test that reloads it under a policy failed in 2 of 19 runs).
 * So the gate is opened first, and the new version starts when everything has gone. With this listener the browser leaves the moment to us.
 */
function makeWayForUpdate(): void {
  isLeaving = true;
  queueSetting();
  setTimeout(() => chrome.runtime.reload(), LEAVE_MS);
}

function heardOfImages(images: readonly string[], state: 'coming' | 'here'): void {
  if (state === 'coming') foreseen.add(images);
  for (const url of images) pages.foreseen(url);
}

function heardOfLink(rttMs: number): void {
  traffic.roundTrip(rttMs, now());
  payoff.roundTrip();
}

function payoffChanged(): void {
  void connections.doesPay(payoff.pays || helpsOnAnyLink);
  queueSetting();
}

function helperChanged(): void {
  foreseen.clear();
  payoff.helperChanged();
  void connections.helperChanged();
}

/** One after the other, so that the last change is the one that stays. */
function queueSetting(): void {
  setting = setting.then(setGate, setGate);
}

/** Without access to the page no content script runs, and nobody could tell what to release. */
async function setGate(): Promise<void> {
  const { enabled, alwaysHold, anyLink, remember, connections: scheme } = await readSettings();
  isRemembering = enabled && remember;
  helpsOnAnyLink = anyLink;
  void connections.doesPay(payoff.pays || anyLink);
  const hasAccess = await hasSiteAccess();
  void connections.want(enabled && !isLeaving && scheme !== null ? { scheme, mayRemember: remember, anyLink } : null);
  const isOff = !enabled || !hasAccess || isLeaving;
  // what helps on no link that is this fast costs something all the same
  if (isOff || (!payoff.pays && !alwaysHold && !anyLink)) {
    mode = 'off';
    holdingTabs.clear();
    pages.releaseEverything();
    // a change of rules empties the memory cache: an element that has not asked again for what was released would fetch it once more
    if (!gate.decidesPerRequest) await new Promise((resolve) => setTimeout(resolve, RELEASED_MS));
    await gate.holdIn(new Set(), 'large');
    watcher.watch(isOff ? 'nothing' : 'layoutFiles', now());
    return;
  }
  watcher.watch('all', now());
  mode = alwaysHold ? 'always' : 'whenFull';
  await gate.holdIn(alwaysHold || gate.decidesPerRequest ? 'all' : holdingTabs.tabs, alwaysHold ? 'every' : 'large');
  sayHoldingTo(() => true);
}

function acceptPage(port: chrome.runtime.Port): void {
  const { sender } = port;
  if (port.name !== PAGE_PORT || sender?.tab?.id === undefined || sender.frameId === undefined) return;
  const tabId = sender.tab.id;
  const document = documentKeyOf({ documentId: sender.documentId, tabId, frameId: sender.frameId });
  ports.set(document, { port, tabId });
  port.onDisconnect.addListener(() => {
    ports.delete(document);
    expected.forget(document);
    pages.disconnected(document);
  });
  port.onMessage.addListener((input: unknown) => {
    const message = safeParse(ContentMessageSchema, input);
    if (!message.success) {
      log('warn', 'page', 'E_MESSAGE_SCHEMA', 'a content script sent a message that does not fit its schema; ignored');
      return;
    }
    const { output } = message;
    if (output.type === 'needed') learn(sender, output.objects);
    else if (output.type !== 'parsed') pages.report(document, output);
    // nor is there anything to wait for in a page that can not be helped
    if (sender.frameId === MAIN_FRAME && (output.type === 'parsed' || output.type === 'standDown')) holdingTabs.parsed(tabId);
  });
  if (isHolding(tabId)) sayHolding(document, tabId);
  if (mayRemember(sender)) void recollect(document, sender.url);
  pages.connected(document, tabId, (message) => send(document, message));
}

/** Only of whole pages, and of no private window or container: nothing of those is asked or told. */
function mayRemember(sender: chrome.runtime.MessageSender): sender is chrome.runtime.MessageSender & { readonly url: string } {
  const { frameId, tab, url } = sender;
  return isRemembering && frameId === MAIN_FRAME && tab !== undefined && isOrdinary(tab) && url !== undefined && helper.can('memory');
}

/** The browser's own connections are none that the helper could make. */
function mayAnnounce(): boolean {
  return isRemembering && helper.can('memory') && connections.areUsed;
}

async function recollect(document: DocumentKey, url: string): Promise<void> {
  const answer = await helper.ask('expect', { url });
  // nothing would forget what is expected of a document that is gone
  if (answer !== null && answer.objects.length > 0 && send(document, { type: 'expected', objects: answer.objects })) expected.add(document, answer.objects);
  send(document, { type: 'learn' });
}

function learn(sender: chrome.runtime.MessageSender, needed: readonly NeededObject[]): void {
  if (mayRemember(sender)) void helper.ask('visited', { url: sender.url, needed: [...needed] });
}

function mayPass({ document, requestId, tabId, url }: ImageRequest): boolean {
  holdingTabs.requested(tabId);
  const isExpected = expected.take(document, url);
  // a held icon would miss the place that Chromium gives it when it is laid out, and is there soon in any order
  if (mode === 'whenFull' && foreseen.take(url) && !traffic.isIcon(url)) return false;
  // what was in view at earlier visits need not wait for a layout to be found there
  if (mode === 'always' || (!isExpected && isWorthHolding(document, tabId, url))) return false;
  traffic.passed(document, requestId, tabId, url, now());
  return true;
}

/** Whether an image of unknown place is better held than asked for now. */
function isWorthHolding(document: DocumentKey, tabId: number, url: string): boolean {
  const { origin } = new URL(url);
  const origins = traffic.origins(now(), pages.isLaidOut(document));
  if (mode === 'whenFull' && wouldWaitInBrowser(origin, origins) && !traffic.isSoonThere(now())) return true;
  const isSentAtOnce = origin.startsWith('https:');
  const isLinkFull = isHolding(tabId) || (mode === 'whenFull' && isSentAtOnce && traffic.isFull(now(), 'server'));
  // a held icon on an HTTP/1.1 host misses the browser's own order, which puts what is in view first; a server that has all of them sends as they come
  return isLinkFull && (isSentAtOnce || isOriginBusy(origin, origins) || !traffic.isIcon(url));
}

function isHolding(tabId: number): boolean {
  return mode === 'always' || (mode === 'whenFull' && holdingTabs.tabs.has(tabId));
}

/** Said when it is so: of requests that the browser decides on meanwhile, an `error` is asked about. */
function sayHoldingTo(isMeant: (tabId: number) => boolean): void {
  for (const [document, { tabId }] of ports) if (isMeant(tabId)) sayHolding(document, tabId);
}

function sayHolding(document: DocumentKey, tabId: number): void {
  send(document, { type: 'holding', on: isHolding(tabId), rttMs: traffic.estimate().rttMs, passed: traffic.passedIn(document) });
}

function send(document: DocumentKey, message: BackgroundMessage): boolean {
  const page = ports.get(document);
  if (page === undefined) return false;
  page.port.postMessage(message);
  return true;
}

/** webRequest stamps with the wall clock, so this does too; only differences of a few seconds are ever used. */
function now(): number {
  return Date.now();
}
