import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A certificate of a server for some names, which is its own authority. */
export interface TemporaryCertificate {
  readonly cert: string;
  readonly key: string;
}

export function temporaryCertificate(...hosts: readonly string[]): TemporaryCertificate {
  const directory = mkdtempSync(join(tmpdir(), 'firstscreen-relay-'));
  try {
    const [cert, key] = [join(directory, 'cert.pem'), join(directory, 'key.pem')];
    const names = `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`;
    const how = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '2', '-subj', '/CN=test', '-addext', names, '-out', cert, '-keyout', key];
    execFileSync('openssl', how, { stdio: 'ignore' });
    return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
