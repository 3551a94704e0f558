/** For tests: this extension, as the browser knows it. */
export const OWN_ID = 'fepfabdflbifdndnhdbidecgakckoigg';
export const OWN_PAGES = `chrome-extension://${OWN_ID}/`;
export const NOBODY_ANSWERS = Symbol('nobody answers');

/** The end of a page that has opened a port. */
interface PageEnd {
  readonly told: { readonly type: string }[];
  say(message: unknown): void;
  close(): void;
}

/** For tests: `chrome.runtime` of a background script, and whoever speaks to it. */
export class FakeRuntime {
  readonly id = OWN_ID;
  private connects: (port: object) => void = () => undefined;
  private asks: (question: unknown, sender: object, respond: (answer: unknown) => void) => true | undefined = () => undefined;
  readonly onConnect = { addListener: (listener: FakeRuntime['connects']): void => void (this.connects = listener) };
  readonly onMessage = { addListener: (listener: FakeRuntime['asks']): void => void (this.asks = listener) };

  getURL(): string {
    return OWN_PAGES;
  }

  open({ name, id = OWN_ID, url }: { readonly name: string; readonly id?: string; readonly url: string }): PageEnd {
    const page: PageEnd = { told: [], say: () => undefined, close: () => undefined };
    this.connects({
      name, sender: { id, url }, postMessage: (message: PageEnd['told'][number]) => page.told.push(message),
      onMessage: { addListener: (listener: PageEnd['say']) => (page.say = listener) },
      onDisconnect: { addListener: (listener: PageEnd['close']) => (page.close = listener) },
    });
    return page;
  }

  ask(question: unknown, sender: { readonly id?: string; readonly url: string }): Promise<unknown> {
    return new Promise((resolve) => {
      if (this.asks(question, { id: OWN_ID, ...sender }, resolve) === undefined) resolve(NOBODY_ANSWERS);
    });
  }
}

interface RequestDetails {
  readonly url: string;
  readonly type?: string;
}

/** For tests: an event of `chrome.webRequest`. */
export class FakeRequestEvent {
  private readonly listeners = new Map<(details: RequestDetails) => void, { readonly urls: readonly string[]; readonly types?: readonly string[] }>();
  readonly addListener = this.listeners.set.bind(this.listeners);
  readonly removeListener = this.listeners.delete.bind(this.listeners);
  readonly hasListener = this.listeners.has.bind(this.listeners);

  get isListened(): boolean {
    return this.listeners.size > 0;
  }

  fire(details: RequestDetails & Readonly<Record<string, unknown>>): void {
    const { protocol, hostname } = new URL(details.url);
    const meets = ([scheme = '', host = '']: readonly string[]): boolean => (scheme === '*' ? ['http:', 'https:'] : [`${scheme}:`]).includes(protocol) && ['*', hostname].includes(host);
    for (const [listener, { urls, types }] of [...this.listeners]) {
      if (urls.some((pattern) => meets(pattern.split(/:?\/+/))) && types?.includes(details.type ?? '') !== false) listener(details);
    }
  }
}
