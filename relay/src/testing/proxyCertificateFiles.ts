import 'reflect-metadata';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PemConverter, SubjectAlternativeNameExtension, X509CertificateGenerator } from '@peculiar/x509';

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const DAY_MS = 86_400_000;

/** A certificate that is its own authority, written as its owner keeps it. */
export interface CertificateFiles {
  readonly certificate: string;
  readonly key: string;
  /** PEM. */
  readonly cert: string;
}

/** @param daysLeft of its time; negative for one that has ended */
export async function writeCertificate(directory: string, host: string, daysLeft = 30): Promise<CertificateFiles> {
  const keys = await crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify']);
  const made = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [host] }],
    notBefore: new Date(Date.now() - 100 * DAY_MS),
    notAfter: new Date(Date.now() + daysLeft * DAY_MS),
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension([{ type: 'dns', value: host }])],
  });
  const [certificate, key] = [join(directory, 'fullchain.pem'), join(directory, 'privkey.pem')];
  const cert = `${made.toString('pem')}\n`;
  writeFileSync(certificate, cert);
  writeFileSync(key, `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), PemConverter.PrivateKeyTag)}\n`, { mode: 0o600 });
  return { certificate, key, cert };
}
