import { KeyObject, randomBytes, type webcrypto } from 'node:crypto';

/** The curve of every key of ours: all browsers take it, and a signature costs next to nothing. */
export const KEY_ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256' } as const;
export const SIGNATURE_ALGORITHM = { name: 'ECDSA', hash: 'SHA-256' } as const;

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
export function randomSerial(): string {
  const bytes = randomBytes(SERIAL_BYTES);
  // the first bit is a sign in DER, and a first byte of zero would be cut
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes.toString('hex');
}
