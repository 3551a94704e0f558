import type { GateHost, RequestGate } from '../gate.ts';
import { WEB_URLS } from '../../urls/webUrls.ts';
import { createTransparentGate } from '../transparent/transparentGate.ts';
import { pageOf } from './pageOf.ts';
import { isWithoutContentScripts } from './restrictedSites.ts';

/** Of `dom.image-lazy-loading.root-margin`, as it ships. */
const LAZY_MARGIN_PX = 600;

/** Firefox: `proxy.onRequest` (docs/adr/0005); resolving its promise with undefined lets the request go, directly. */
export function createGate(host: GateHost): RequestGate | null {
  const { onRequest } = browser.proxy;
  return createTransparentGate<FirefoxProxyRequest>(host, {
    listen: (listener) => onRequest.addListener(listener, { urls: WEB_URLS, types: ['image', 'imageset'] }),
    unlisten: (listener) => onRequest.removeListener(listener),
    isWithoutContentScripts: ({ documentUrl }) => isWithoutContentScripts(documentUrl),
    lazyMarginPx: LAZY_MARGIN_PX,
    pageOf,
  });
}
