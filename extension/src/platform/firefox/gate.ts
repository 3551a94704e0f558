import type { GateHost, RequestGate } from '../gate.ts';
import { createTransparentGate } from '../transparent/transparentGate.ts';
import { isWithoutContentScripts } from './restrictedSites.ts';

/** `imageset` is what Firefox calls an image with srcset or <picture>. */
const FILTER = { urls: ['http://*/*', 'https://*/*'], types: ['image', 'imageset'] };

/** Firefox: `proxy.onRequest` (docs/adr/0005); resolving its promise with undefined lets the request go, directly. */
export function createGate(host: GateHost): RequestGate {
  const { onRequest } = browser.proxy;
  return createTransparentGate<FirefoxProxyRequest>(host, {
    listen(listener) {
      if (!onRequest.hasListener(listener)) onRequest.addListener(listener, FILTER);
    },
    unlisten: (listener) => onRequest.removeListener(listener),
    isWithoutContentScripts: ({ documentUrl }) => isWithoutContentScripts(documentUrl),
  });
}
