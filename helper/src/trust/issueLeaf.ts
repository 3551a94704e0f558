import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension, BasicConstraintsExtension, ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, SubjectAlternativeNameExtension, SubjectKeyIdentifierExtension,
  X509Certificate, X509CertificateGenerator,
} from '@peculiar/x509';
import type { webcrypto } from 'node:crypto';
import type { Authority } from './authority.ts';
import type { CertificateName } from './certificateName.ts';
import { KEY_ALGORITHM, SIGNATURE_ALGORITHM, randomSerial } from './signing.ts';

const HOUR_MS = 3_600_000;
export const LEAF_LIFE_HOURS = 48;
/** A machine whose clock is set back a little, as after a trip, does not meet a certificate from the future. */
const BACKDATED_HOURS = 12;

/**
 * A certificate for the server of one name (RFC 5280, section 4.2.1; CA/B Forum Baseline Requirements, section 7.1.2.7): the name is in subjectAltName alone, where RFC 9525 says to
 * look for it, so the extension is critical. Not valid longer than its authority.
 *
 * @param publicKey of the server
 * @returns the certificate as PEM
 */
export async function issueLeaf(authority: Authority, name: CertificateName, publicKey: webcrypto.CryptoKey, now: Date): Promise<string> {
  const issuer = new X509Certificate(authority.certificate.raw);
  const notAfter = new Date(Math.min(now.getTime() + LEAF_LIFE_HOURS * HOUR_MS, authority.certificate.validToDate.getTime()));
  const certificate = await X509CertificateGenerator.create({
    serialNumber: randomSerial(),
    issuer: issuer.subjectName,
    notBefore: new Date(Math.max(now.getTime() - BACKDATED_HOURS * HOUR_MS, authority.certificate.validFromDate.getTime())),
    notAfter,
    publicKey,
    signingKey: authority.key.toCryptoKey(KEY_ALGORITHM, false, ['sign']),
    signingAlgorithm: SIGNATURE_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      new SubjectAlternativeNameExtension([name], true),
      await SubjectKeyIdentifierExtension.create(publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}
