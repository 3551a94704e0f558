import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isPublicAddress } from '../../../shared/src/names/addressPolicy.ts';
import { readIfPresent } from '../files.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import { ownDirectory, type Account } from '../userDirectories.ts';
import { parseCertificateName, type CertificateName } from './certificateName.ts';
import { OWN_EXCLUSIONS, type Exclusion } from './ownExclusions.ts';

/** What the user never wants intercepted. */
export interface UserList {
  readonly hosts: readonly string[];
  /** With everything under them. */
  readonly domains: readonly string[];
}

/**
 * The user's list: a host or `*.HOST` a line, in Unicode or ASCII; `#` begins a comment.
 *
 * @param path for the warnings, which name lines and not what is in them: they go into logs
 * @returns with a warning (E_EXCLUDED_HOSTS) for each line that is not used
 */
export function parseNeverIntercept(text: string, path: string): UserList & { readonly warnings: readonly FirstscreenError[] } {
  const list = { hosts: [] as string[], domains: [] as string[], warnings: [] as FirstscreenError[] };
  // an editor of another system may have put a byte order mark before the first line
  for (const [index, line] of text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/).entries()) {
    const word = line.replace(/#.*/, '').trim();
    if (word === '') continue;
    const isDomain = word.startsWith('*.');
    const name = parseCertificateName(isDomain ? word.slice(2) : word);
    if (name === null || (isDomain && name.type === 'ip')) list.warnings.push(new FirstscreenError('E_EXCLUDED_HOSTS', `Line ${index + 1} of ${path} is not used: it is neither HOST nor *.HOST.`, `Write line ${index + 1} as in "www.example.com" or "*.example.com".`));
    else (isDomain ? list.domains : list.hosts).push(name.value);
  }
  return list;
}

/**
 * Why the helper passes a host through without looking inside, in a word or two; null when it may be intercepted. Pure:
 * the same answer for the same host and list.
 *
 * @param host as in a URL or in CONNECT; what is no host is left alone too
 * @param user beside our own
 */
export function exclusionOf(host: string, user: UserList = { hosts: [], domains: [] }): string | null {
  const name = parseCertificateName(host);
  if (name === null) return 'no host name';
  if (isPrivateHost(name)) return 'own network';
  if (user.hosts.includes(name.value) || isUnder(name.value, user.domains)) return 'by the user';
  return name.type === 'ip' ? null : (OWN_EXCLUSIONS.find((exclusion) => namesIt(exclusion, name.value))?.kind ?? null);
}

function namesIt({ suffixes, labels = [], words = [], firstLabels = [] }: Exclusion, host: string): boolean {
  if (isUnder(host, suffixes)) return true;
  const hostLabels = host.split('.');
  if (hostLabels.some((label) => labels.includes(label) || words.some((word) => label.includes(word)))) return true;
  const [first = ''] = hostLabels;
  return hostLabels.length > 2 && firstLabels.includes(first);
}

/** Names that no authority of the web certifies, since they mean something else in each network: RFC 6761, 6762 (.local), 8375 (home.arpa), 7686 (.onion), ICANN 2024 (.internal), and what routers have made up. */
const PRIVATE_SUFFIXES = ['localhost', 'local', 'internal', 'home.arpa', 'onion', 'lan', 'home', 'corp', 'intranet', 'private', 'localdomain', 'fritz.box'];

/** Whether a host is of this machine or its own network: a device there has a certificate that only its owner can judge, and it is near anyway. */
function isPrivateHost({ type, value }: CertificateName): boolean {
  if (type === 'ip') return !isPublicAddress(value);
  return !value.includes('.') || isUnder(value, PRIVATE_SUFFIXES);
}

/** Whether a host is one of these domains, or in one. */
function isUnder(host: string, domains: readonly string[]): boolean {
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}

/** Where a user lists what the helper must not look into; `trust` names it, nothing of ours writes it. */
export function neverInterceptPath(account: Account): string {
  return join(ownDirectory('CONFIG', account), 'never-intercept.txt');
}

/**
 * Our own list and the user's. There need not be a file.
 *
 * @returns with a warning (E_EXCLUDED_HOSTS) for each line that is not used
 * @throws FirstscreenError E_EXCLUDED_HOSTS when there is a list that can not be read: then nothing may be intercepted, since nobody knows what it forbids
 */
export function readExcludedHosts(account: Account): { readonly isExcluded: (host: string) => boolean; readonly warnings: readonly FirstscreenError[] } {
  const path = neverInterceptPath(account);
  const { warnings, ...user } = parseNeverIntercept(readList(path), path);
  return { isExcluded: (host) => exclusionOf(host, user) !== null, warnings };
}

function readList(path: string): string {
  try {
    return readIfPresent(path) ?? '';
  } catch (cause) {
    throw new FirstscreenError('E_EXCLUDED_HOSTS', `The list of hosts that are never intercepted, ${path}, can not be read (${reasonOf(cause)}).`, 'Make it a file that you may read, or remove it; until then nothing is intercepted.', { cause });
  }
}
