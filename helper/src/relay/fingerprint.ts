import { createHash, type X509Certificate } from 'node:crypto';

/** Of a certificate's key (`FINGERPRINT` of wire.ts). By Node alone: the library that makes certificates takes 100 ms of processor to load. */
export function fingerprintOf({ publicKey }: X509Certificate): string {
  return createHash('sha256').update(publicKey.export({ type: 'spki', format: 'der' })).digest('base64url');
}
