import type { Release } from '../../../../shared/src/page/pageModel.ts';
import type { DocumentKey, GateHost, HeldRequest, RequestGate } from '../gate.ts';
import { documentKeyOf } from '../documentKey.ts';
import { SMALL_FORMATS } from '../smallFormats.ts';
import { RequestFates } from './requestFates.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';

const HOLD_RULE = 1;
const RELEASED_RULE = 2;
const FAVICON_RULE = 3;
const SMALL_FORMATS_RULE = 4;
/** Empty and web-accessible: an image that gets it fires `error`, keeps its box and is not cached. */
const HELD_FILE = '/held';
/** Content scripts are not allowed there, so nothing could be released. */
const PAGES_WITHOUT_CONTENT_SCRIPTS = ['chromewebstore.google.com', 'chrome.google.com'];

const ALL_IMAGES: chrome.webRequest.RequestFilter = { urls: ['<all_urls>'], types: ['image'] };

const ALLOW_RULES: chrome.declarativeNetRequest.Rule[] = [
  { id: RELEASED_RULE, priority: 2, action: { type: 'allow' }, condition: { resourceTypes: ['image'], urlFilter: '#' } },
  // asked for by the browser, not by an element, so nobody could ask again
  { id: FAVICON_RULE, priority: 2, action: { type: 'allow' }, condition: { resourceTypes: ['image'], urlFilter: '/favicon.ico|' } },
];

const PASS_SMALL_FORMATS: chrome.declarativeNetRequest.Rule = {
  id: SMALL_FORMATS_RULE, priority: 2, action: { type: 'allow' }, condition: { resourceTypes: ['image'], regexFilter: SMALL_FORMATS },
};

function holdRule(tabs: 'all' | ReadonlySet<number>): chrome.declarativeNetRequest.Rule {
  return {
    id: HOLD_RULE,
    priority: 1,
    action: { type: 'redirect', redirect: { extensionPath: HELD_FILE } },
    condition: {
      resourceTypes: ['image'],
      requestMethods: ['get'],
      // requests of no tab (the browser's own) have no page that could release them
      ...(tabs === 'all' ? { excludedTabIds: [chrome.tabs.TAB_ID_NONE] } : { tabIds: [...tabs] }),
      excludedInitiatorDomains: PAGES_WITHOUT_CONTENT_SCRIPTS,
    },
  };
}

/**
 * Chromium: a declarativeNetRequest session rule redirects images to an empty file; the content script asks again with a marked URL
 * (docs/adr/0004). Each held image costs some milliseconds of three processes, so it is done where it pays only (docs/adr/0006).
 *
 * Fails open in the content script, which releases by itself when the port to the background script closes.
 */
export function createGate(host: GateHost): RequestGate {
  const extensionOrigin = chrome.runtime.getURL('');
  const fates = new RequestFates();
  /** Redirected to the empty file, and not yet answered with it. */
  const failing = new Map<string, HeldRequest>();
  let nextOrder = 0;
  fates.listen();

  chrome.webRequest.onBeforeRedirect.addListener(
    (details) => {
      if (details.tabId < 0 || !details.redirectUrl.startsWith(extensionOrigin)) return;
      const document = documentKeyOf(details);
      const url = withoutFragment(details.url);
      fates.held(document, url, details.timeStamp);
      failing.set(details.requestId, { document, tabId: details.tabId, url, requestId: details.requestId, order: nextOrder });
      nextOrder += 1;
    },
    ALL_IMAGES,
  );
  chrome.webRequest.onCompleted.addListener(hasFailed, ALL_IMAGES);
  chrome.webRequest.onErrorOccurred.addListener(hasFailed, ALL_IMAGES);

  /** The empty answer is there. Until then a release would get the same one (MemoryCacheWarmer), and lose time. */
  function hasFailed({ requestId }: { readonly requestId: string }): void {
    const request = failing.get(requestId);
    if (request === undefined) return;
    failing.delete(requestId);
    host.held(request);
  }

  /** Null while they are not known. */
  let rulesInUse: string | null = null;

  return {
    decidesPerRequest: false,
    async holdIn(tabs, formats) {
      // the rules that allow are there always: that they are tells that the gate is ready
      const isHolding = tabs === 'all' || tabs.size > 0;
      const rules = [...(isHolding ? [holdRule(tabs)] : []), ...(formats === 'large' ? [PASS_SMALL_FORMATS] : []), ...ALLOW_RULES];
      const wanted = JSON.stringify(rules);
      // a change of rules empties the memory cache of every page, even to the same ones
      if (wanted === rulesInUse) return;
      rulesInUse = wanted;
      try {
        await chrome.declarativeNetRequest.updateSessionRules({ removeRuleIds: [HOLD_RULE, RELEASED_RULE, FAVICON_RULE, SMALL_FORMATS_RULE], addRules: rules });
      } catch (error) {
        rulesInUse = null;
        throw error;
      }
    },
    release(document: DocumentKey, releases: readonly Release[]): void {
      host.send(document, { type: 'release', objects: releases.map(({ url, urgency }) => ({ url, urgency })) });
    },
    releaseAll(document: DocumentKey): void {
      host.send(document, { type: 'releaseAll' });
    },
    forget(document: DocumentKey): void {
      // what was held was held by the page alone
      fates.forget(document);
    },
  };
}
