import 'reflect-metadata';
import { BasicConstraintsExtension, ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, SubjectKeyIdentifierExtension, X509CertificateGenerator } from '@peculiar/x509';
import { AUTHORITY_NAME_PREFIX, DAY_MS } from './authority.ts';
import { SIGNATURE_ALGORITHM, generateKeyPair, privateKeyPem, randomSerial } from './signing.ts';

/** What is written to disk; the key is not encrypted, since the helper starts without anybody who could type a password. */
export interface AuthorityFiles {
  readonly certificatePem: string;
  readonly keyPem: string;
}

/** Whose an authority is, for the person who finds it in a browser's list. */
export interface AuthorityOwner {
  readonly host: string;
  readonly user: string;
}

/** Long enough not to be a nuisance, short enough that an authority that was forgotten ends by itself. */
export const AUTHORITY_LIFE_DAYS = 365;
/** A machine whose clock is set back must not meet a certificate from the future; more than that of the certificates that it signs. */
const BACKDATED_DAYS = 2;

/** RFC 5280, appendix A.1: ub-common-name. */
const MAX_COMMON_NAME_CHARACTERS = 64;

/**
 * A new authority (RFC 5280, section 4.2.1): it may sign certificates of servers and no other authority (pathLenConstraint 0). The extended key usage says so to whoever trusts it for more:
 * verifiers take that of an authority as a limit for what is below it. The Baseline Requirements leave it out of public roots (section 7.1.2.1.2), whose purposes programs of root stores decide.
 *
 * Name constraints could only forbid names, since the helper may be asked for any other of the web; which hosts are left alone is decided by a list that changes (excludedHosts.ts), and is not
 * written into a certificate that lasts a year.
 */
export async function createAuthority(owner: AuthorityOwner, now: Date): Promise<AuthorityFiles> {
  const keys = await generateKeyPair();
  const certificate = await X509CertificateGenerator.createSelfSigned({
    serialNumber: randomSerial(),
    name: [{ O: ['Firstscreen'] }, { CN: [authorityName(owner)] }],
    notBefore: new Date(now.getTime() - BACKDATED_DAYS * DAY_MS),
    notAfter: new Date(now.getTime() + AUTHORITY_LIFE_DAYS * DAY_MS),
    keys,
    signingAlgorithm: SIGNATURE_ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return { certificatePem: `${certificate.toString('pem')}\n`, keyPem: privateKeyPem(keys.privateKey) };
}

/** "Firstscreen on <host>, of <user>", in ASCII (certutil's lists are in the terminal's encoding) and cut to what a common name may hold. */
export function authorityName({ host, user }: AuthorityOwner): string {
  const plain = (text: string): string => text.replace(/[^\w.-]/g, '_');
  const [joint, left] = [', of ', MAX_COMMON_NAME_CHARACTERS - AUTHORITY_NAME_PREFIX.length];
  const shortUser = plain(user).slice(0, left / 2);
  return `${AUTHORITY_NAME_PREFIX}${plain(host).slice(0, left - joint.length - shortUser.length)}${joint}${shortUser}`;
}
