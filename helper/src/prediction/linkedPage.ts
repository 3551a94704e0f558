import { originOf } from '../../../shared/src/page/origin.ts';

/** Endings of paths that are pages; a path without one is taken for a page, too. Others are files. */
const PAGE_ENDINGS: ReadonlySet<string> = new Set(['html', 'htm', 'xhtml', 'shtml', 'php', 'asp', 'aspx', 'jsp', 'jspx', 'cgi', 'cfm']);
/** What servers change something by, although they are asked with GET, and what is good for one request only. */
const ACTIONS: ReadonlySet<string> = new Set([
  'logout', 'logoff', 'signout', 'signoff', 'login', 'logon', 'signin', 'signup', 'auth', 'oauth', 'sso', 'session',
  'delete', 'remove', 'destroy', 'erase', 'purge', 'clear', 'reset', 'trash', 'cancel', 'disable', 'enable', 'deactivate', 'activate',
  'add', 'addtocart', 'cart', 'basket', 'checkout', 'buy', 'pay', 'payment', 'purchase', 'donate', 'bid', 'reserve', 'redeem',
  'subscribe', 'unsubscribe', 'optout', 'optin', 'follow', 'unfollow', 'unlike', 'vote', 'upvote', 'downvote', 'toggle',
  'confirm', 'verify', 'approve', 'accept', 'reject', 'decline', 'invite', 'create', 'edit', 'update', 'submit', 'send', 'publish', 'upload',
  'download', 'export', 'redirect', 'redir', 'goto', 'token', 'csrf', 'nonce', 'ticket', 'sid', 'sessid', 'phpsessid', 'jsessionid', 'sig', 'signature',
]);
/** The same, where they stand alone: in names of articles they mean nothing. */
const ACTIONS_ALONE: ReadonlySet<string> = new Set(['like', 'share', 'save', 'mark', 'rate', 'flag', 'report', 'join', 'leave', 'close', 'order', 'print', 'out', 'click', 'track', 'del', 'rm']);
/** The same in two words. */
const ACTION_PAIRS: ReadonlySet<string> = new Set(['log out', 'log off', 'log in', 'sign out', 'sign off', 'sign in', 'sign up', 'opt out', 'opt in']);
/** Names in queries of what a server is to do, whatever it is. */
const ACTION_NAMES: ReadonlySet<string> = new Set(['action', 'act', 'do', 'op', 'cmd', 'command', 'task', 'method', 'event', 'func', 'function', 'operation']);
/** Of more words is the name of an article, and no action. */
const MAX_ACTION_WORDS = 3;

/**
 * Whether the page that a link leads to may be fetched before anybody has followed the link: another page of the same
 * origin, which no word of its path or query makes an action, and whose ending is none of a file. What is refused for a
 * word that means nothing there is asked for when the link is followed, as ever.
 *
 * @param page URL of the page with the link, without fragment
 * @param url of the link, without fragment
 */
export function mayFetchLinked(page: string, url: string): boolean {
  if (!/^https?:/.test(url) || originOf(page) !== originOf(url) || page === url || !URL.canParse(url)) return false;
  const { href, hash, pathname, searchParams, username, password } = new URL(url);
  // a content script says URLs as a browser writes them
  if (href !== url || hash !== '' || username !== '' || password !== '') return false;
  const ending = /\.([^./]*)$/.exec(pathname)?.[1];
  if (ending !== undefined && !PAGE_ENDINGS.has(ending.toLowerCase())) return false;
  if (pathname.split('/').some(saysAction)) return false;
  return ![...searchParams].some(([name, value]) => wordsOf(name).some((word) => ACTION_NAMES.has(word)) || saysAction(name) || saysAction(value));
}

/** @param text one part of a path or query */
function saysAction(text: string): boolean {
  const words = wordsOf(text.replace(/\.[a-z]+$/i, ''));
  if (words.length > MAX_ACTION_WORDS) return false;
  if (words.length === 1 && ACTIONS_ALONE.has(words[0] ?? '')) return true;
  return words.some((word, place) => ACTIONS.has(word) || ACTION_PAIRS.has(`${word} ${words[place + 1] ?? ''}`));
}

/** In lower case, cut where a word ends or a capital begins one. */
function wordsOf(text: string): string[] {
  return text.replaceAll(/%[\da-f]{2}/gi, ' ').replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z]+/).filter((word) => word !== '');
}
