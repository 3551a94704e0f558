/** What the background script answers to `status`: of a helper that is there, with all its switches off (extension/src/messages/status.ts). */
export const STATUS = {
  held: 0, released: 0, inView: 0, hasGate: false, isLinkFast: false, helper: 'connected', misfit: null, memory: 'available', nextPage: 'available', connections: 'browser', driver: null,
};

/** The same without a helper. */
export const NO_HELPER = { ...STATUS, helper: 'absent', memory: 'noHelper', nextPage: 'noHelper', connections: 'noHelper' };
