import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TlsOptions } from 'node:tls';
import type { Authority } from '../trust/authority.ts';
import { createAuthority, type AuthorityFiles } from '../trust/certificates.ts';
import { LeafCertificates } from '../trust/leafCertificates.ts';

export interface TestAuthority extends Authority, AuthorityFiles {
  /** Of a server that has a certificate of it for each name that it is asked for. */
  readonly sniCallback: NonNullable<TlsOptions['SNICallback']>;
}

/** An authority as `trust` makes it, of which there are no files. */
export async function testAuthority(): Promise<TestAuthority> {
  const files = await createAuthority({ host: 'machine', user: 'user' }, new Date());
  const authority = { certificate: new X509Certificate(files.certificatePem), key: createPrivateKey(files.keyPem) };
  const leaves = new LeafCertificates(authority);
  return { ...files, ...authority, sniCallback: (name, done) => void leaves.secureContextFor(name).then((context) => done(null, context)) };
}
