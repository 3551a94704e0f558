/**
 * Who helper and relay are to each other: a key of their own with a certificate that it has signed itself, which the other side knows by the
 * fingerprint of its key (docs/relay.md). Needs WebCrypto.
 */
import 'reflect-metadata';
import { BasicConstraintsExtension, KeyUsageFlags, KeyUsagesExtension, PemConverter, X509CertificateGenerator, type X509Certificate } from '@peculiar/x509';

/** A key as WebCrypto has it, without a look inside. */
type Key = object;

/** WebCrypto as far as this needs it: the types of browsers and of Node differ, and shared code has neither. */
declare const crypto: {
  readonly subtle: {
    generateKey(algorithm: object, isExtractable: boolean, usages: readonly string[]): Promise<{ readonly privateKey: Key; readonly publicKey: Key }>;
    exportKey(format: 'pkcs8', key: Key): Promise<ArrayBuffer>;
    digest(algorithm: string, bytes: ArrayBuffer): Promise<ArrayBuffer>;
  };
};
declare const btoa: (bytes: string) => string;

/** Small, and as fast at a handshake as any. */
const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
const SIGNATURE_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const;

/** RFC 5280, section 4.1.2.5: "no well-defined expiration date". The key is pinned: it ends when the other side forgets it. */
const NO_EXPIRATION = new Date('9999-12-31T23:59:59Z');
/** Clocks of two machines differ, and nobody looks at the dates of a pinned key but a library that may. */
const BACKDATED_MS = 48 * 3_600_000;

/** What is written to disk; the key is not encrypted, since programs start without anybody who could type a password. */
export interface Identity {
  readonly certificatePem: string;
  /** PKCS #8. */
  readonly keyPem: string;
  readonly fingerprint: string;
}

/** A new key and its certificate. @param commonName for people who meet the certificate somewhere; nobody checks it */
export async function createIdentity(commonName: string, now: Date): Promise<Identity> {
  const keys = await crypto.subtle.generateKey(KEY_ALGORITHM, true, ['sign', 'verify']);
  const certificate = await X509CertificateGenerator.createSelfSigned({
    name: [{ CN: [commonName] }],
    notBefore: new Date(now.getTime() - BACKDATED_MS),
    notAfter: NO_EXPIRATION,
    keys,
    signingAlgorithm: SIGNATURE_ALGORITHM,
    extensions: [new BasicConstraintsExtension(false, undefined, true), new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true)],
  });
  return {
    certificatePem: `${certificate.toString('pem')}\n`,
    keyPem: `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', keys.privateKey), PemConverter.PrivateKeyTag)}\n`,
    fingerprint: await fingerprintOf(certificate),
  };
}

async function fingerprintOf(certificate: X509Certificate): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', certificate.publicKey.rawData));
  return btoa(String.fromCharCode(...hash)).replaceAll('+', '-').replaceAll('/', '_').replace('=', '');
}
