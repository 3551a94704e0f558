import { createSecureContext, type SecureContext } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Authority } from './authority.ts';
import { parseCertificateName, type CertificateName } from './certificateName.ts';
import { HOUR_MS, LEAF_LIFE_HOURS, generateKeyPair, leafIssuer, privateKeyPem, type IssueLeaf } from './certificates.ts';

/** Hosts whose certificates are kept; those of a good many pages. */
const MAX_HOSTS = 500;
/** From then on a new connection gets a new certificate, so that none ends under a connection that has just begun. */
const RENEW_AFTER_MS = (LEAF_LIFE_HOURS / 2) * HOUR_MS;

/**
 * Certificates of servers, made when they are needed and kept in memory only. All have one key, which never leaves this process: a key for each would protect nothing more, since whoever reads
 * one from this memory reads all.
 */
export class LeafCertificates {
  private readonly authority: Authority;
  private readonly now: () => Date;
  private readonly contexts: LRUCache<string, SecureContext, CertificateName>;
  private readonly shared: Promise<{ readonly key: string; readonly issue: IssueLeaf }>;

  constructor(authority: Authority, now = (): Date => new Date()) {
    this.authority = authority;
    this.now = now;
    this.shared = sharedBy(authority);
    this.contexts = new LRUCache({
      max: MAX_HOSTS,
      ttl: RENEW_AFTER_MS,
      ttlResolution: 0,
      perf: { now: () => now().getTime() },
      // one that is pushed out while it is made goes to those who wait for it
      ignoreFetchAbort: true,
      fetchMethod: (_host, _stale, { context }) => this.make(context),
    });
    // who asks for a certificate is told; nobody may have asked yet
    this.shared.catch(() => undefined);
  }

  /**
   * What a TLS server shows to be this host, ready for SNICallback.
   *
   * @param host name or address as in a URL or in CONNECT
   * @throws FirstscreenError E_CERTIFICATE_NAME for what is no name of a host, E_AUTHORITY when the authority has expired meanwhile
   */
  async secureContextFor(host: string): Promise<SecureContext> {
    const name = parseCertificateName(host);
    // the text does not repeat what may be a page's secret
    if (name === null) throw new FirstscreenError('E_CERTIFICATE_NAME', 'No certificate can be made for this host: it is neither a host name nor an address.', 'Pass the connection through without a certificate of ours.');
    if (this.now() >= this.authority.certificate.validToDate) throw new FirstscreenError('E_AUTHORITY', 'No certificate can be made: the certificate authority has expired.', 'Run "firstscreen-helper trust", which makes a new one.');
    return this.contexts.forceFetch(name.value, { context: name });
  }

  private async make(name: CertificateName): Promise<SecureContext> {
    const { key, issue } = await this.shared;
    return createSecureContext({ cert: await issue(name, this.now()), key });
  }
}

/** What all certificates of an authority have in common. */
async function sharedBy(authority: Authority): Promise<{ readonly key: string; readonly issue: IssueLeaf }> {
  const { publicKey, privateKey } = await generateKeyPair();
  return { key: privateKeyPem(privateKey), issue: await leafIssuer(authority, publicKey) };
}
