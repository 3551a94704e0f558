import { createTransparentGate, type HoldOrPass } from '../transparent/transparentGate.ts';
import type { GateHost, RequestGate } from '../gate.ts';

type ImageDetails = chrome.webRequest.OnBeforeRequestDetails | chrome.webRequest.OnBeforeSendHeadersDetails;

/** On a connection that Chromium takes for 3G or less; half of it on others. */
const LAZY_MARGIN_PX = 2_500;
const CLEAR_IMAGES = { urls: ['http://*/*'], types: ['image'] } satisfies chrome.webRequest.RequestFilter;
const SECURE_IMAGES = { urls: ['https://*/*'], types: ['image'] } satisfies chrome.webRequest.RequestFilter;

/**
 * Chromium that got the extension by policy: there alone `webRequest` may be answered, and a promise holds the request
 * (docs/adr/0007).
 *
 * Over https: an image is held when its request is about to leave. The network has it by then, and takes note when
 * Chromium raises its priority, as the layout shows it in view; what is held sooner never hears of that, and is one of
 * the few that can wait and go at once (docs/adr/0088). With `extraHeaders` alone the event comes so late. Over http:
 * the same would keep a place of these few for what is off screen, and what is found next would wait behind it.
 */
export function createGate(host: GateHost): RequestGate | null {
  const { onBeforeRequest, onBeforeSendHeaders } = chrome.webRequest;
  return createTransparentGate<ImageDetails>(host, {
    listen: (listener) => {
      onBeforeRequest.addListener(asDeclared(listener), CLEAR_IMAGES, ['blocking']);
      onBeforeSendHeaders.addListener(asDeclared(listener), SECURE_IMAGES, ['blocking', 'extraHeaders']);
    },
    unlisten: (listener) => {
      onBeforeRequest.removeListener(asDeclared(listener));
      onBeforeSendHeaders.removeListener(asDeclared(listener));
    },
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
