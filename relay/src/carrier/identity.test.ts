import { X509Certificate, createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { fingerprintOf } from '../../../shared/src/node/relay/fingerprint.ts';
import { createIdentity } from '../../../shared/src/relay/identity.ts';
import { FINGERPRINT } from '../../../shared/src/relay/wire.ts';

const NOW = new Date('2026-11-26T12:00:00Z');

describe('an identity', () => {
  it('is a key with a certificate that it has signed, which does not end', async () => {
    const { certificatePem, keyPem } = await createIdentity('relay of a test', NOW);
    const certificate = new X509Certificate(certificatePem);
    const key = createPrivateKey(keyPem);
    expect([key.asymmetricKeyType, key.asymmetricKeyDetails?.namedCurve]).toEqual(['ec', 'prime256v1']);
    expect([certificate.verify(certificate.publicKey), certificate.checkPrivateKey(key), certificate.ca]).toEqual([true, true, false]);
    expect([certificate.subject, certificate.validTo]).toEqual(['CN=relay of a test', 'Dec 31 23:59:59 9999 GMT']);
    expect(certificate.validFromDate.getTime()).toBeLessThan(NOW.getTime());
  });

  it('is known by the SHA-256 of its public key', async () => {
    const { certificatePem, fingerprint } = await createIdentity('a', NOW);
    expect(fingerprint).toMatch(FINGERPRINT);
    expect(fingerprintOf(new X509Certificate(certificatePem))).toBe(fingerprint);
  });
});
