import { X509Certificate, createHash, createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { FINGERPRINT, createIdentity, fingerprintOf } from '../../../shared/src/relay/identity.ts';

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
    const certificate = new X509Certificate(certificatePem);
    expect(fingerprint).toBe(createHash('sha256').update(certificate.publicKey.export({ type: 'spki', format: 'der' })).digest('base64url'));
    expect(fingerprint).toMatch(FINGERPRINT);
    expect(await fingerprintOf(certificate.raw)).toBe(fingerprint);
  });

  it('is another one each time', async () => {
    const [a, b] = await Promise.all([createIdentity('a', NOW), createIdentity('a', NOW)]);
    expect(a.fingerprint).not.toBe(b.fingerprint);
  });
});

it('bytes that are no certificate have no fingerprint', async () => {
  await expect(fingerprintOf(new Uint8Array([1, 2, 3]))).rejects.toThrow();
});
