import { safeParse } from 'valibot';
import { PAGE_PORT, type BackgroundMessage } from '../../../shared/src/protocol/page.ts';
import { ContentMessageSchema } from '../../../shared/src/protocol/pageSchema.ts';
import { createGate } from '#platform/gate.ts';
import { documentKeyOf } from '../platform/documentKey.ts';
import type { DocumentKey } from '../platform/gate.ts';
import { readEnabled, watchEnabled } from '../settings/enabled.ts';
import { hasSiteAccess, watchSiteAccess } from '../settings/siteAccess.ts';
import { LinkTraffic } from './linkTraffic.ts';
import { log } from './log.ts';
import { NetworkWatcher } from './networkWatcher.ts';
import { Pages } from './pages.ts';
import { Planner } from './planner.ts';
import { answerPopup } from './status.ts';

// Listeners are registered synchronously at the top level: a worker that is woken by an event gets it only then.
const ports = new Map<DocumentKey, chrome.runtime.Port>();
const planner = new Planner();
const gate = createGate({ held: (request) => pages.held(request), isConnected: (document) => ports.has(document), send });
const traffic = new LinkTraffic();
const watcher = new NetworkWatcher(traffic, {
  imageEnded: (document, url) => pages.imageEnded(document, url),
  tabChanged: (tabId) => pages.tabChanged(tabId),
  navigated: (tabId) => pages.resetCounts(tabId),
});
const pages: Pages = new Pages(gate, traffic, { plan: (document, snapshot) => planner.plan(document, snapshot), now });

watcher.listen();
chrome.runtime.onConnect.addListener(acceptPage);
chrome.tabs.onRemoved.addListener((tabId) => {
  pages.forgetTab(tabId);
  traffic.forgetTab(tabId, now());
});
answerPopup((tabId) => ({ ...pages.counts(tabId), helper: planner.helperState }));
watchEnabled(queueSetting);
watchSiteAccess(queueSetting);
planner.connect();
let armed = false;
let setting = Promise.resolve();
queueSetting();

/** One after the other, so that the last change is the one that stays. */
function queueSetting(): void {
  setting = setting.then(setGate, setGate);
}

/** Without access to the page no content script runs, and nobody could tell what to release. */
async function setGate(): Promise<void> {
  armed = (await readEnabled()) && (await hasSiteAccess());
  if (armed) {
    await gate.arm();
    for (const document of ports.keys()) sayArmed(document);
    return;
  }
  await gate.disarm();
  pages.releaseEverything();
}

function acceptPage(port: chrome.runtime.Port): void {
  const { sender } = port;
  if (port.name !== PAGE_PORT || sender?.tab?.id === undefined || sender.frameId === undefined) return;
  const tabId = sender.tab.id;
  const document = documentKeyOf({ documentId: sender.documentId, tabId, frameId: sender.frameId });
  ports.set(document, port);
  port.onDisconnect.addListener(() => {
    ports.delete(document);
    pages.disconnected(document);
  });
  port.onMessage.addListener((input: unknown) => {
    const message = safeParse(ContentMessageSchema, input);
    if (message.success) pages.report(document, message.output);
    else log('warn', 'page', 'E_MESSAGE_SCHEMA', 'a content script sent a message that does not fit its schema; ignored');
  });
  if (armed) sayArmed(document);
  pages.connected(document, tabId, (message) => send(document, message));
}

function sayArmed(document: DocumentKey): void {
  send(document, { type: 'armed', rttMs: traffic.estimate().rttMs });
}

function send(document: DocumentKey, message: BackgroundMessage): boolean {
  const port = ports.get(document);
  if (port === undefined) return false;
  port.postMessage(message);
  return true;
}

/** webRequest stamps with the wall clock, so this does too; only differences of a few seconds are ever used. */
function now(): number {
  return Date.now();
}
