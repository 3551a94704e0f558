import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkServerIdentity, connect, createServer, type PeerCertificate, type TLSSocket } from 'node:tls';
import { beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { parseCertificateName } from './certificateName.ts';
import { generateKeyPair, leafIssuer } from './certificates.ts';
import { LeafCertificates } from './leafCertificates.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const NAME = { type: 'dns', value: 'example.com' } as const;

describe('leaf certificates', () => {
  let authority: TestAuthority;
  beforeEach(async () => {
    authority = await testAuthority();
  });

  /** What a client that trusts the authority alone sees of a server that shows the certificate of `served` when it wants to reach `wanted`. */
  async function handshake(served: string, wanted: string, leaves = new LeafCertificates(authority)): Promise<PeerCertificate> {
    const server = createServer({ SNICallback: (_name, done) => void leaves.secureContextFor(served).then((context) => done(null, context), done) }, (socket) => socket.end());
    // an address is not sent as SNI; then the server shows its first context
    server.setSecureContext({});
    server.on('secureConnection', (socket: TLSSocket) => socket.on('error', () => undefined));
    await listenLocally(server);
    const options = { host: '127.0.0.1', port: portOf(server), ca: authority.certificatePem };
    const client = connect({ ...options, servername: 'sni.test', checkServerIdentity: (_host, certificate) => checkServerIdentity(wanted, certificate) });
    try {
      await once(client, 'secureConnect');
      return client.getPeerCertificate();
    } finally {
      client.destroy();
      server.close();
    }
  }

  it.each([['example.com'], ['xn--bcher-kva.de'], ['a_b.example.com'], ['192.0.2.7'], ['2001:db8::1']])('are accepted for %s by a client that trusts the authority', async (host) => {
    expect((await handshake(host, host)).subjectaltname).toContain(host.includes(':') ? '2001:DB8' : host);
  });

  it('are refused for any other host, also a subdomain', async () => {
    await expect(handshake('example.com', 'example.org')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
    await expect(handshake('example.com', 'www.example.com')).rejects.toMatchObject({ code: 'ERR_TLS_CERT_ALTNAME_INVALID' });
  });

  it('are refused by who does not trust the authority', async () => {
    await expect(handshake('example.com', 'example.com', new LeafCertificates(await testAuthority()))).rejects.toMatchObject({ code: expect.stringMatching(/SIGNATURE|ISSUER/) as string });
  });

  it('are as RFC 5280 wants them, by openssl', async () => {
    const directory = temporaryDirectory();
    const [file, root] = [join(directory, 'leaf.pem'), join(directory, 'authority.pem')];
    writeFileSync(root, authority.certificatePem);
    const issue = await leafIssuer(authority, (await generateKeyPair()).publicKey);
    writeFileSync(file, await issue(NAME, new Date()));
    const openssl = (...args: string[]) => execFileSync('openssl', args, { encoding: 'utf8' });
    const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-CAfile', root];
    expect(openssl(...verify, '-verify_hostname', 'example.com', file)).toContain('OK');
    const text = openssl('x509', '-in', file, '-noout', '-text');
    expect(text).toMatch(/Basic Constraints: critical\s+CA:FALSE/);
    expect(text).toMatch(/Extended Key Usage: *\s+TLS Web Server Authentication\n/);
    expect(text).toMatch(/Subject Alternative Name: critical\s+DNS:example.com\n/);
    expect(text).toContain('Authority Key Identifier');
    const certificate = new X509Certificate(await issue(NAME, new Date()));
    expect(certificate.serialNumber).toMatch(/^[4-7][0-9A-F]{31}$/);
    expect(certificate.serialNumber).not.toBe(new X509Certificate(openssl('x509', '-in', file)).serialNumber);
  });

  it.each([
    ['two days, begun half a day ago', 0, -12, 48],
    ['no longer than the authority', 364, -12, 24],
  ])('last %s', async (_case, afterDays, fromHours, toHours) => {
    const now = new Date(Date.now() + afterDays * DAY_MS);
    const issue = await leafIssuer(authority, (await generateKeyPair()).publicKey);
    const certificate = new X509Certificate(await issue(NAME, now));
    const hours = (date: Date): number => Math.round((date.getTime() - now.getTime()) / HOUR_MS);
    expect([hours(certificate.validFromDate), hours(certificate.validToDate)]).toEqual([fromHours, toHours]);
  });

  it('are made once for a host, however many ask and however they spell it', async () => {
    const leaves = new LeafCertificates(authority);
    const contexts = await Promise.all(['example.com', 'EXAMPLE.com', 'example.com.', 'example.com'].map((host) => leaves.secureContextFor(host)));
    expect(new Set(contexts).size).toBe(1);
    expect(await leaves.secureContextFor('www.example.com')).not.toBe(contexts[0]);
  });

  it('are made anew after a day, and not any more when the authority has expired', async () => {
    let now = new Date();
    const leaves = new LeafCertificates(authority, () => now);
    const first = await leaves.secureContextFor('example.com');
    now = new Date(now.getTime() + 23 * HOUR_MS);
    expect(await leaves.secureContextFor('example.com')).toBe(first);
    now = new Date(now.getTime() + HOUR_MS + 1);
    expect(await leaves.secureContextFor('example.com')).not.toBe(first);
    now = new Date(now.getTime() + 365 * DAY_MS);
    await expect(leaves.secureContextFor('example.com')).rejects.toMatchObject({ code: 'E_AUTHORITY' });
  });

  it.each(['*.example.com', '', 'a b', '1.2.3'])('are not made for %j', async (host) => {
    expect(parseCertificateName(host)).toBeNull();
    await expect(new LeafCertificates(authority).secureContextFor(host)).rejects.toMatchObject({ code: 'E_CERTIFICATE_NAME' });
  });
});
