/** The part of Firefox's API that @types/chrome does not have. */
interface FirefoxProxyRequest {
  readonly documentId?: string;
  readonly url: string;
  readonly tabId: number;
  readonly frameId: number;
}

declare const browser: {
  readonly proxy: {
    readonly onRequest: {
      addListener(listener: (details: FirefoxProxyRequest) => Promise<undefined> | undefined, filter: { urls: string[]; types: string[] }): void;
      removeListener(listener: (details: FirefoxProxyRequest) => Promise<undefined> | undefined): void;
      hasListener(listener: (details: FirefoxProxyRequest) => Promise<undefined> | undefined): boolean;
    };
  };
};
