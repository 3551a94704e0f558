import { createHash, type X509Certificate } from 'node:crypto';

/**
 * Of a certificate's key (`FINGERPRINT` of wire.ts). By Node alone: the library that makes certificates takes 100 ms of processor to load, and nobody's certificate is its to read.
 *
 * @throws Error for a key of a kind that Node does not know
 */
export function fingerprintOf({ publicKey }: X509Certificate): string {
  return createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' })).digest('base64url');
}
