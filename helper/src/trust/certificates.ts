import 'reflect-metadata';
import {
  AuthorityKeyIdentifierExtension, BasicConstraintsExtension, ExtendedKeyUsage, ExtendedKeyUsageExtension, KeyUsageFlags, KeyUsagesExtension, SubjectAlternativeNameExtension, SubjectKeyIdentifierExtension,
  X509Certificate, X509CertificateGenerator, type Extension,
} from '@peculiar/x509';
import { KeyObject, randomBytes, type webcrypto } from 'node:crypto';
import { DAY_MS } from '../../../shared/src/memory/cachedUntil.ts';
import { AUTHORITY_NAME_PREFIX, type Authority } from './authority.ts';
import type { CertificateName } from './certificateName.ts';

/** The curve of every key of ours: all browsers take it, and a signature costs next to nothing. */
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** CA/B Forum Baseline Requirements, section 7.1: at least 64 bits from a random source. */
const SERIAL_BYTES = 16;

/** A key pair whose private part can be written as PEM. */
export async function generateKeyPair(): Promise<webcrypto.CryptoKeyPair> {
  return crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
}

export function privateKeyPem(key: webcrypto.CryptoKey): string {
  return KeyObject.from(key).export({ format: 'pem', type: 'pkcs8' }).toString();
}

/** A serial number that nobody can guess, positive and not zero (RFC 5280, section 4.1.2.2). @returns hexadecimal */
function randomSerial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  // the first bit is a sign in DER, and a first byte of zero would be cut
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}

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
    extensions: [new BasicConstraintsExtension(true, 0, true), new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true), ...(await commonExtensions(keys.publicKey))],
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

export const HOUR_MS = 3_600_000;
export const LEAF_LIFE_HOURS = 48;
/** A machine whose clock is set back a little, as after a trip, does not meet a certificate from the future. */
const BACKDATED_HOURS = 12;

/** Makes the certificate of one name. @returns it as PEM */
export type IssueLeaf = (name: CertificateName, now: Date) => Promise<string>;

/**
 * Certificates for servers of one name each (RFC 5280, section 4.2.1; CA/B Forum Baseline Requirements, section 7.1.2.7): the name is in subjectAltName alone, where RFC 9525 says to
 * look for it, so the extension is critical. Not valid longer than its authority. What is the same in all is made once: a page waits for each.
 *
 * @param publicKey of the servers
 */
export async function leafIssuer(authority: Authority, publicKey: webcrypto.CryptoKey): Promise<IssueLeaf> {
  const { subjectName, publicKey: issuerKey } = new X509Certificate(authority.certificate.raw);
  const signingKey = authority.key.toCryptoKey(KEY_ALGORITHM, false, ['sign']);
  const before = [new BasicConstraintsExtension(false, undefined, true), new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)];
  const after = [await AuthorityKeyIdentifierExtension.create(issuerKey), ...(await commonExtensions(publicKey))];
  return async (name, now) => {
    const certificate = await X509CertificateGenerator.create({
      serialNumber: randomSerial(),
      issuer: subjectName,
      notBefore: new Date(Math.max(now.getTime() - BACKDATED_HOURS * HOUR_MS, authority.certificate.validFromDate.getTime())),
      notAfter: new Date(Math.min(now.getTime() + LEAF_LIFE_HOURS * HOUR_MS, authority.certificate.validToDate.getTime())),
      publicKey,
      signingKey,
      signingAlgorithm: SIGNATURE_ALGORITHM,
      extensions: [...before, new SubjectAlternativeNameExtension([name], true), ...after],
    });
    return `${certificate.toString('pem')}\n`;
  };
}

async function commonExtensions(publicKey: webcrypto.CryptoKey): Promise<Extension[]> {
  return [new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]), await SubjectKeyIdentifierExtension.create(publicKey)];
}
