/**
 * What the gate uses of Firefox's `proxy` API, which @types/chrome does not have. @types/firefox-webext-browser would do, but it is 450 kB of
 * declarations and its newest release (143) does not know `documentId` yet, which Firefox has since 153.
 */
interface FirefoxProxyRequest {
  readonly requestId: string;
  readonly documentId?: string;
  readonly documentUrl?: string;
  readonly url: string;
  readonly tabId: number;
  readonly frameId: number;
}

type FirefoxProxyListener = (details: FirefoxProxyRequest) => Promise<undefined> | undefined;

declare const browser: {
  readonly proxy: {
    readonly onRequest: {
      addListener(listener: FirefoxProxyListener, filter: { urls: string[]; types: string[] }): void;
      removeListener(listener: FirefoxProxyListener): void;
      hasListener(listener: FirefoxProxyListener): boolean;
    };
  };
};
