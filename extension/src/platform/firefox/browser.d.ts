/**
 * What the gate and the route use of Firefox's `proxy` API, which @types/chrome does not have. @types/firefox-webext-browser would do, but it is 450 kB of
 * declarations and its newest release (143) does not know `documentId` yet, which Firefox has since 153.
 */
interface FirefoxProxyRequest {
  readonly requestId: string;
  readonly documentId?: string;
  readonly documentUrl?: string;
  readonly url: string;
  readonly tabId: number;
  readonly frameId: number;
  /** The frames around it, the page itself last. */
  readonly frameAncestors?: readonly { readonly url: string; readonly frameId: number }[];
  readonly type: string;
  /** Of the tab's container. */
  readonly cookieStoreId?: string;
}

/** Where a request may go; a list of them is tried in order. */
type FirefoxProxyInfo =
  | { readonly type: 'http'; readonly host: string; readonly port: number }
  /** The header is sent with CONNECT to a proxy of this type alone. `failoverTimeout`: for so many seconds it is not used after it could not be reached. */
  | { readonly type: 'https'; readonly host: string; readonly port: number; readonly proxyAuthorizationHeader: string; readonly failoverTimeout: number }
  | { readonly type: 'direct' };

/** Undefined leaves a request to what was there before; null would undo it. */
type FirefoxRouteListener = (details: FirefoxProxyRequest) => Promise<readonly FirefoxProxyInfo[] | undefined> | readonly FirefoxProxyInfo[] | undefined;

declare const browser: {
  readonly proxy: {
    readonly onRequest: {
      addListener(listener: FirefoxRouteListener, filter: { urls: string[]; types?: string[]; incognito?: boolean }): void;
      removeListener(listener: FirefoxRouteListener): void;
      hasListener(listener: FirefoxRouteListener): boolean;
    };
    /** Throws in Firefox for Android. */
    readonly settings: { get(details: object): Promise<{ readonly levelOfControl: string; readonly value: { readonly proxyType: string } }> };
  };
};
