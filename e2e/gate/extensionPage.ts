/** Functions that run in a page of the extension; each is sent there as text, so it may use nothing from outside itself. */

/** What they use of the extension's API. */
export interface ExtensionPage {
  readonly chrome: {
    readonly tabs: { query(filter: object): Promise<readonly { readonly id: number; readonly url?: string }[]> };
    readonly runtime: { sendMessage<Answer>(question: object): Promise<Answer> };
  };
}

export interface Counts {
  readonly held: number;
  readonly released: number;
}

/** What was held of the page that a tab shows; null while no tab shows it. */
export async function readCounts(url: string): Promise<Counts | null> {
  const { tabs, runtime } = (globalThis as unknown as ExtensionPage).chrome;
  const tab = (await tabs.query({})).find((each) => each.url === url);
  if (tab === undefined) return null;
  const { held, released } = await runtime.sendMessage<Counts>({ type: 'status', tabId: tab.id });
  return { held, released };
}

/** How many pages the helper remembers. */
export async function readRemembered(): Promise<number> {
  const remembered = await (globalThis as unknown as ExtensionPage).chrome.runtime.sendMessage<{ readonly sites: readonly { readonly pages: number }[] } | null>({ type: 'remembered' });
  return remembered?.sites.reduce((sum, { pages }) => sum + pages, 0) ?? 0;
}

/** Has the page that a tab shows loaded once without Firstscreen, as the popup does. @returns whether it is being loaded */
export async function goWithout(url: string): Promise<boolean> {
  const { tabs, runtime } = (globalThis as unknown as ExtensionPage).chrome;
  const tab = (await tabs.query({})).find((each) => each.url === url);
  return tab !== undefined && runtime.sendMessage<boolean>({ type: 'loadWithout', tabId: tab.id });
}
