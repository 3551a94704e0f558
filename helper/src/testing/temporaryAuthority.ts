import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TlsOptions } from 'node:tls';
import { PRIVATE_FILE_MODE } from '../files.ts';
import { authorityPaths, readAuthority, type Authority } from '../trust/authority.ts';
import { createAuthority } from '../trust/certificates.ts';
import { LeafCertificates } from '../trust/leafCertificates.ts';

/** An authority in a directory of its own, written as `trust` writes it. */
export interface TemporaryAuthority {
  readonly directory: string;
  readonly certificatePem: string;
  read(now?: Date): Authority | null;
  /** Of a server that has a certificate of it for each name that it is asked for. */
  sniCallback(): NonNullable<TlsOptions['SNICallback']>;
  remove(): void;
}

export async function temporaryAuthority(): Promise<TemporaryAuthority> {
  const madeAt = new Date();
  const directory = mkdtempSync(join(tmpdir(), 'firstscreen-trust-'));
  const { certificatePem, keyPem } = await createAuthority({ host: 'machine', user: 'user' }, madeAt);
  const paths = authorityPaths(directory);
  for (const [path, text] of [[paths.certificate, certificatePem], [paths.key, keyPem]] as const) {
    writeFileSync(path, text);
    chmodSync(path, PRIVATE_FILE_MODE);
  }
  const read = (now = madeAt): Authority | null => readAuthority(directory, now);
  return {
    directory, certificatePem, read,
    sniCallback: () => {
      const authority = read();
      if (authority === null) throw new Error('no authority');
      const leaves = new LeafCertificates(authority);
      return (name, done) => void leaves.secureContextFor(name).then((context) => done(null, context));
    },
    remove: () => rmSync(directory, { recursive: true }),
  };
}
