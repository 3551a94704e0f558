import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import type { Artifacts } from '../metrics/artifacts.ts';
import { collectLinks, type PageLink } from '../metrics/collectLinks.ts';
import { LoadFailure } from '../metrics/failure.ts';
import type { MeasuredPage } from '../metrics/measuredPage.ts';
import type { HostedObject } from '../metrics/testbed.ts';

const MAX_PAGES = 5;
/** From the end of a load until the pointer moves: a glance at the page. A load's end is itself some seconds after its last byte. */
const THINK_MS = 3_000;

const Links = v.array(v.object({ url: v.string(), x: v.number(), y: v.number() }));

/** Addresses of the recording's documents on the host of its entry, the entry left out. Pure. */
export function siteDocuments(objects: readonly HostedObject[], entryUrl: string): Set<string> {
  const host = new URL(entryUrl).host;
  const documents = objects.filter(({ url, status, contentType }) => status === 200 && contentType.startsWith('text/html') && new URL(url).host === host);
  const addresses = new Set(documents.map(({ url }) => addressOf(url)));
  addresses.delete(addressOf(entryUrl));
  return addresses;
}

/** The first link, in the order of the document, to a document that has not been visited. Pure. */
export function nextLink(links: readonly PageLink[], documents: ReadonlySet<string>, visited: readonly string[]): PageLink | null {
  const seen = new Set(visited.map(addressOf));
  return links.find(({ url }) => documents.has(addressOf(url)) && !seen.has(addressOf(url))) ?? null;
}

/** Loads one page in the browser, the entry for a link of null, after those that it has loaded before. */
export type LoadPage = (link: PageLink | null, earlier: readonly Artifacts[]) => Promise<Artifacts>;

/**
 * Goes through a site by links in view, from the entry on, and gathers each page.
 *
 * @param documents as of `siteDocuments`
 * @param thinkMs from the end of a load until the pointer moves
 * @throws LoadFailure NO_JOURNEY when no link of the entry leads to another page
 */
export async function travel(page: MeasuredPage, documents: ReadonlySet<string>, load: LoadPage, thinkMs = THINK_MS): Promise<Artifacts[]> {
  const pages: Artifacts[] = [];
  for (let link: PageLink | null = null; pages.length === 0 || link !== null; ) {
    pages.push(await load(link, pages));
    if (pages.length === MAX_PAGES) break;
    link = nextLink(v.parse(Links, await page.evaluate(`(${collectLinks.toString()})()`)), documents, pages.map(urlOf));
    if (link !== null) await sleep(thinkMs);
  }
  if (pages.length === 1) throw new LoadFailure('NO_JOURNEY', 'no link in view leads to another recorded page of the site');
  return pages;
}

/** What the page came to be, redirects followed. */
export function urlOf({ layout }: Pick<Artifacts, 'layout'>): string {
  return layout[0]?.url ?? '';
}

/** The hosting answers alike over both schemes. Links that are no addresses stay as they are. */
function addressOf(url: string): string {
  return url.replace(/^https?:/, '').replace(/#.*$/, '');
}
