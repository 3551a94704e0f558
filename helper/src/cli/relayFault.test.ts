import { describe, expect, it } from 'vitest';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { createIdentity } from '../../../shared/src/relay/identity.ts';
import { describeOwnKey, describeRelayFault } from './relayFault.ts';

const PLACE = { host: 'relay.test', port: 4433 };

/** As probeRelay throws it. */
const unavailable = (cause: unknown) => new FirstscreenError('E_RELAY_UNAVAILABLE', 'The relay can not be reached.', 'Wait.', { cause });
const connect = (...codes: readonly string[]) => unavailable(new FirstscreenError('E_CONNECT', 'No.', 'x', { cause: new AggregateError(codes.map((code) => Object.assign(new Error(code), { code }))) }));

describe('why there is no relay', () => {
  it.each([
    ['a closed port', connect('ECONNREFUSED'), /relay\.test:4433 is closed/, /firstscreen-relay doctor/],
    ['a closed port behind two addresses', connect('ENETUNREACH', 'ECONNREFUSED'), /is closed/, /doctor/],
    ['a port that drops', connect('ETIMEDOUT'), /relay\.test:4433 does not answer/, /port 4433 in/],
    ['nobody who answers in time', unavailable(unavailable(undefined)), /does not answer/, /443 out/],
    ['no route', connect('ENETUNREACH'), /no way from this network/, /IPv4 address/],
    ['a name that nobody knows', unavailable(new FirstscreenError('E_NAME', 'x', 'y')), /knows relay\.test/, /ADDRESS:PORT/],
    ['a broken handshake', unavailable(new Error('x')), /can not be reached/, /Wait/],
    ['another version', new FirstscreenError('E_RELAY_VERSION', 'The relay speaks version 7.', 'Bring helper and relay to one release.'), /version 7$/, /one release.*relay setup/],
  ])('%s', (_case, error, detail, next) => {
    const fault = describeRelayFault(error, PLACE);
    expect(fault).toEqual({ detail: expect.stringMatching(detail) as string, next: expect.stringMatching(next) as string });
    expect(Object.values(fault).join('')).not.toContain('\n');
  });

  it('a defect stays one', () => {
    expect(() => describeRelayFault(new TypeError('x'), PLACE)).toThrow(TypeError);
  });
});

describe("this helper's key", () => {
  it.each([
    ['2026-11-26', null],
    ['2020-01-01', /the clock of this machine \(2020-01-01\)/],
  ])('on %s', async (day, wanted) => {
    const identity = await createIdentity('helper', new Date('2026-11-26T12:00:00Z'));
    const fault = describeOwnKey(identity, new Date(`${day}T12:00:00Z`));
    expect(fault?.detail ?? null).toEqual(wanted === null ? null : expect.stringMatching(wanted));
  });

  it('that has ended', async () => {
    const { X509CertificateGenerator } = await import('@peculiar/x509');
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const certificate = await X509CertificateGenerator.createSelfSigned({ name: 'CN=helper', notBefore: new Date('2026-01-01'), notAfter: new Date('2026-02-01'), keys, signingAlgorithm: algorithm });
    expect(describeOwnKey({ certificatePem: certificate.toString('pem') }, new Date('2026-03-01'))).toEqual({ detail: expect.stringContaining('2026-02-01') as string, next: expect.stringContaining('relay remove') as string });
  });
});
