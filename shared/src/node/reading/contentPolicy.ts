import { isIPv4 } from 'node:net';
import { USUAL_PORTS } from '../../names/authority.ts';
import type { FetchKind } from './elementFetches.ts';

/** What a page is about to fetch. */
export interface PolicyRequest {
  /** Absolute, http: or https:, after upgrades. */
  readonly url: string;
  readonly kind: FetchKind;
  /** Of the element; empty for none, and for what a style sheet names. */
  readonly nonce: string;
}

type Sources = readonly string[];
/** Directives by name; of one that is there twice the first counts (CSP 3, section 2.2.1). */
type Policy = ReadonlyMap<string, Sources>;

/** From the most special to the most general (CSP 3, section 6.8.3). */
const SCRIPT = ['script-src-elem', 'script-src', 'default-src'] as const;
const DIRECTIVES: Readonly<Record<FetchKind, readonly string[]>> = {
  script: SCRIPT,
  module: SCRIPT,
  style: ['style-src-elem', 'style-src', 'default-src'],
  image: ['img-src', 'default-src'],
  font: ['font-src', 'default-src'],
};
const TAKES_NONCE: ReadonlySet<FetchKind> = new Set(['script', 'module', 'style']);
const SCHEME_SOURCE = /^([a-z][a-z0-9+.-]*):$/i;
const HOST_SOURCE = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*|(?:\*\.)?[a-z0-9_-]+(?:\.[a-z0-9_-]+)*\.?)(?::(\d{1,5}|\*))?(\/[^?#]*)?$/i;
/** Longer lists and sources exist only to cost time. What is left out allows nothing. */
const MAX_POLICIES = 16;
const MAX_POLICY_CHARS = 16 * 1024;
/** Of all policies; each is held against each request. Large sites have some hundreds. */
const MAX_SOURCES = 2_000;

/**
 * The Content Security Policies of one document (CSP 3; Upgrade Insecure Requests), as far as they decide what it
 * fetches. A request that can not be judged counts as refused: hashes are not compared, and under `'strict-dynamic'`
 * only a nonce allows a script.
 */
export class ContentPolicies {
  private readonly self: URL;
  private readonly policies: Policy[] = [];
  private sources = 0;
  private isTooMuch = false;

  /**
   * @param documentUrl of the answer
   * @param fields values of all Content-Security-Policy fields of the answer; one may hold several policies
   */
  constructor(documentUrl: string, fields: readonly string[] = []) {
    this.self = new URL(documentUrl);
    for (const policy of fields.flatMap((field) => field.split(','))) this.add(policy);
  }

  /** One more policy, as a `<meta>` has it: it counts for what comes after it. */
  add(serialized: string): void {
    if (this.policies.length >= MAX_POLICIES || serialized.length > MAX_POLICY_CHARS) this.isTooMuch = true;
    if (this.isTooMuch) return;
    const policy = parsed(serialized);
    this.policies.push(policy);
    for (const { length } of policy.values()) this.sources += length;
    this.isTooMuch = this.sources > MAX_SOURCES;
  }

  /** Whether what the document fetches can be told at all: a sandbox takes its origin and its cookies away. */
  get isClear(): boolean {
    return !this.isTooMuch && !this.has('sandbox');
  }

  /**
   * The URL under which the browser asks (Fetch, "main fetch"): `upgrade-insecure-requests` makes https: of http:, and
   * on a secure page images are upgraded without it (Mixed Content, section 4.1).
   *
   * @returns null for a request in clear that a secure page does not make
   */
  upgraded(url: string, kind: FetchKind): string | null {
    if (!url.startsWith('http:')) return url;
    const isSecure = this.self.protocol === 'https:';
    const isAddress = /^\[|^\d+(?:\.\d+){3}$/.test(new URL(url).hostname);
    const isUpgraded = this.has('upgrade-insecure-requests') || (isSecure && kind === 'image' && !isAddress && !this.has('block-all-mixed-content'));
    if (isUpgraded) return new URL(`https${url.slice('http'.length)}`).href;
    return isSecure ? null : url;
  }

  /** Whether every policy lets this pass. */
  allows(request: PolicyRequest): boolean {
    const url = new URL(request.url);
    return this.isClear && this.policies.every((policy) => {
      const name = DIRECTIVES[request.kind].find((each) => policy.has(each));
      return name === undefined || doesAllow(policy.get(name) ?? [], request, url, this.self);
    });
  }

  private has(directive: string): boolean {
    return this.policies.some((policy) => policy.has(directive));
  }
}

function parsed(serialized: string): Policy {
  const directives = new Map<string, Sources>();
  for (const directive of serialized.split(';')) {
    const [name = '', ...sources] = directive.trim().split(/[\t\n\f\r ]+/);
    const key = name.toLowerCase();
    if (key !== '' && !directives.has(key)) directives.set(key, sources);
  }
  return directives;
}

function doesAllow(sources: Sources, { kind, nonce }: PolicyRequest, url: URL, self: URL): boolean {
  if (TAKES_NONCE.has(kind) && nonce !== '' && sources.some((source) => /^'nonce-/i.test(source) && source.slice("'nonce-".length, -1) === nonce)) return true;
  const isDynamic = (kind === 'script' || kind === 'module') && sources.some((source) => source.toLowerCase() === "'strict-dynamic'");
  return !isDynamic && sources.some((source) => matches(source, url, self));
}

/** CSP 3, section 6.7.2.7. */
function matches(source: string, url: URL, self: URL): boolean {
  if (source === '*') return true;
  if (source.toLowerCase() === "'self'") return isSelf(url, self);
  const scheme = SCHEME_SOURCE.exec(source)?.[1];
  if (scheme !== undefined) return isSchemeOf(`${scheme.toLowerCase()}:`, url);
  const [whole, ownScheme, host = '', port, path = ''] = HOST_SOURCE.exec(source) ?? [];
  if (whole === undefined || !isSchemeOf(ownScheme === undefined ? self.protocol : `${ownScheme.toLowerCase()}:`, url)) return false;
  return isHostOf(host.toLowerCase(), url.hostname) && isPortOf(port, url) && isPathOf(path, url.pathname);
}

/** The origin itself, or the same host by the secure scheme, each at its usual port. */
function isSelf(url: URL, self: URL): boolean {
  return url.origin === self.origin || (url.hostname === self.hostname && url.protocol === 'https:' && url.port === '' && self.port === '');
}

function isSchemeOf(scheme: string, { protocol }: URL): boolean {
  return scheme === protocol || (scheme === 'http:' && protocol === 'https:');
}

/** Addresses match nothing but this machine (section 6.7.2.10, note). */
function isHostOf(pattern: string, host: string): boolean {
  if (pattern === '*') return true;
  if (pattern.startsWith('*.')) return host.endsWith(pattern.slice(1));
  return pattern === host && (!isIPv4(pattern) || pattern === '127.0.0.1');
}

function isPortOf(port: string | undefined, { port: own, protocol }: URL): boolean {
  if (port === undefined) return own === '';
  return port === '*' || port === (own === '' ? USUAL_PORTS[protocol] : own);
}

/** A path that ends with a slash is for all that is below it (section 6.7.2.12). */
function isPathOf(pattern: string, path: string): boolean {
  if (pattern === '') return true;
  try {
    const [wanted, given] = [pattern, path].map((each) => each.split('/').map(decodeURIComponent)) as [string[], string[]];
    const isExact = wanted.at(-1) !== '';
    if (!isExact) wanted.pop();
    return (isExact ? wanted.length === given.length : wanted.length < given.length) && wanted.every((part, place) => part === given[place]);
  } catch {
    return false;
  }
}
