import { createTransparentGate, type HoldOrPass } from '../transparent/transparentGate.ts';
import { WEB_URLS } from '../../urls/webUrls.ts';
import type { GateHost, RequestGate } from '../gate.ts';

type ImageDetails = chrome.webRequest.OnBeforeRequestDetails;

/** On a connection that Chromium takes for 3G or less; half of it on others. */
const LAZY_MARGIN_PX = 2_500;

/**
 * Chromium that got the extension by policy: there alone `webRequest.onBeforeRequest` may be answered, and a promise
 * holds the request (docs/adr/0007).
 */
export function createGate(host: GateHost): RequestGate | null {
  const { onBeforeRequest } = chrome.webRequest;
  return createTransparentGate<ImageDetails>(host, {
    listen: (listener) => onBeforeRequest.addListener(asDeclared(listener), { urls: WEB_URLS, types: ['image'] }, ['blocking']),
    unlisten: (listener) => onBeforeRequest.removeListener(asDeclared(listener)),
    // Chromium shows an extension no requests of documents that it may not run scripts in
    isWithoutContentScripts: () => false,
    lazyMarginPx: LAZY_MARGIN_PX,
    pageOf: ({ frameType, initiator }) => (frameType === 'outermost_frame' ? httpOrigin(initiator) : null),
  });
}

/** Of a sandboxed page it is "null". */
function httpOrigin(initiator: string | undefined): string | null {
  return initiator?.startsWith('http') === true ? initiator : null;
}

/** @types/chrome does not know that an extension installed by policy may answer with a promise. */
function asDeclared(listener: HoldOrPass<ImageDetails>): (details: ImageDetails) => undefined {
  return listener as (details: ImageDetails) => undefined;
}
