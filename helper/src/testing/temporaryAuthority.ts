import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PRIVATE_FILE_MODE } from '../files.ts';
import { authorityPaths, readAuthority, type Authority } from '../trust/authority.ts';
import { createAuthority } from '../trust/certificates.ts';

/** An authority in a directory of its own, written as `trust` writes it. */
export interface TemporaryAuthority {
  readonly directory: string;
  readonly certificatePem: string;
  read(now?: Date): Authority | null;
  remove(): void;
}

export async function temporaryAuthority(madeAt = new Date()): Promise<TemporaryAuthority> {
  const directory = mkdtempSync(join(tmpdir(), 'firstscreen-trust-'));
  const { certificatePem, keyPem } = await createAuthority({ host: 'machine', user: 'user' }, madeAt);
  const paths = authorityPaths(directory);
  for (const [path, text] of [[paths.certificate, certificatePem], [paths.key, keyPem]] as const) {
    writeFileSync(path, text);
    chmodSync(path, PRIVATE_FILE_MODE);
  }
  return { directory, certificatePem, read: (now = madeAt) => readAuthority(directory, now), remove: () => rmSync(directory, { recursive: true }) };
}
