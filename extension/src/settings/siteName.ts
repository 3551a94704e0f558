import { FirstscreenError } from '../../../shared/src/errors.ts';
import { MAX_HOST_CHARS } from '../../../shared/src/names/authority.ts';

/** URLs allow more in a host; no server has such a name. */
const PLAIN_HOST = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*|\[[\da-f:.]+\])$/;

/**
 * A site's name, as people know it, of a host as URLs write it: without `www.`, but where no name would be left. A site
 * is its host and all hosts below it.
 *
 * @returns null for a text that is no host
 */
export function siteOfHost(host: string): string | null {
  const name = host.replace(/\.+$/, '').replace(/^(?:www\.)+(?=.*\.)/, '');
  return name.length <= MAX_HOST_CHARS && PLAIN_HOST.test(name) ? name : null;
}

/** The site of a page; null for pages that are not of the web. */
export function siteOfUrl(url: string): string | null {
  return /^https?:/i.test(url) && URL.canParse(url) ? siteOfHost(new URL(url).hostname) : null;
}

/**
 * The site that somebody has typed or pasted: a host, one with `*.` before it, or the address of a page.
 *
 * @throws FirstscreenError E_SITE for all else
 */
export function siteOfText(text: string): string {
  const typed = text.trim().replace(/^\*\./, '');
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `http://${typed}`;
  // not an address for mail
  const site = URL.canParse(address) && new URL(address).username === '' ? siteOfUrl(address) : null;
  if (site === null) throw new FirstscreenError('E_SITE', 'What was typed is no site.', 'Write its host, as in example.com.');
  return site;
}
