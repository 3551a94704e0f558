import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { beforeEach, describe, expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { testAuthority, type TestAuthority } from '../testing/testAuthority.ts';
import { authorityPaths, readAuthority } from './authority.ts';
import { authorityName, createAuthority } from './certificates.ts';

const DAY_MS = 86_400_000;

describe('an authority', () => {
  let kept: TestAuthority;
  let directory: string;
  beforeEach(async () => {
    [kept, directory] = [await testAuthority(), temporaryDirectory()];
    for (const [path, text] of [[paths().certificate, kept.certificatePem], [paths().key, kept.keyPem]] as const) writeFileSync(path, text, { mode: 0o600 });
  });
  const paths = () => authorityPaths(directory);
  const read = (now = new Date()) => readAuthority(directory, now);

  it('is read as it was written', () => {
    expect(read()?.certificate.toString().trim()).toBe(kept.certificatePem.trim());
  });

  it('says whose it is and what it may do, as openssl reads it', () => {
    const text = execFileSync('openssl', ['x509', '-in', paths().certificate, '-noout', '-text'], { encoding: 'utf8' });
    expect(text).toContain('CN = "Firstscreen on machine, of user"');
    expect(text).toMatch(/Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
    expect(text).toMatch(/Key Usage: critical\s+Certificate Sign, CRL Sign/);
    expect(text).toMatch(/Extended Key Usage: *\s+TLS Web Server Authentication\n/);
    expect(text).toContain('Subject Key Identifier');
    expect(text).toContain('ecdsa-with-SHA256');
    expect(text).toContain('prime256v1');
    expect(execFileSync('openssl', ['verify', '-x509_strict', '-CAfile', paths().certificate, paths().certificate], { encoding: 'utf8' })).toContain('OK');
  });

  it('is none where nothing is', () => {
    for (const path of Object.values(paths())) rmSync(path);
    expect(read()).toBeNull();
  });

  it.each<[string, () => unknown, string]>([
    ['a directory that others may look into', () => chmodSync(directory, 0o750), 'mode 750'],
    ['a key that others may read', () => chmodSync(paths().key, 0o640), 'mode 640'],
    ['a certificate that others may change', () => chmodSync(paths().certificate, 0o666), 'mode 666'],
    ['a missing key', () => rmSync(paths().key), 'missing'],
    ['a missing certificate', () => rmSync(paths().certificate), 'missing'],
    ['a key that is none', () => writeFileSync(paths().key, 'secret words'), 'can not be read'],
    ['a certificate that is none', () => writeFileSync(paths().certificate, ''), 'can not be read'],
    ['a key in the place of the certificate', () => copyFileSync(paths().key, paths().certificate), 'can not be read'],
  ])('is refused with %s', (_case, spoil, reason) => {
    spoil();
    expect(() => read()).toThrow(expect.objectContaining({ code: 'E_AUTHORITY', message: expect.stringContaining(reason) as string, next: expect.stringContaining('trust') as string }));
    expect(() => read()).not.toThrow(/secret words/);
  });

  it('is refused with the key of another one', async () => {
    writeFileSync(paths().key, (await createAuthority({ host: 'machine', user: 'user' }, new Date())).keyPem);
    expect(() => read()).toThrow(expect.objectContaining({ code: 'E_AUTHORITY', message: expect.stringContaining('does not fit') as string }));
  });

  it.each([
    ['before a year is over', 364, null],
    ['after a year', 366, 'expired'],
    ['with the clock a day back', -1, null],
    ['with the clock a week back', -7, 'is the clock right'],
  ])('%s', (_case, days, reason) => {
    const later = new Date(Date.now() + days * DAY_MS);
    if (reason === null) expect(read(later)).not.toBeNull();
    else expect(() => read(later)).toThrow(expect.objectContaining({ code: 'E_AUTHORITY', message: expect.stringContaining(reason) as string }));
  });

  it.skipIf(process.getuid?.() !== 0)('is refused when it belongs to another user (tested as root only: nobody else may give files away)', () => {
    execFileSync('chown', ['12345', paths().key]);
    expect(() => read()).toThrow(expect.objectContaining({ code: 'E_AUTHORITY', message: expect.stringContaining('another user') as string }));
  });
});

it.each([
  ['a host', 'ann', 'Firstscreen on a_host, of ann'],
  ['h'.repeat(80), 'u'.repeat(80), `Firstscreen on ${'h'.repeat(20)}, of ${'u'.repeat(24)}`],
  ['höst', 'jörg', 'Firstscreen on h_st, of j_rg'],
])('names an authority on %s of %s in at most 64 characters', (host, user, name) => {
  expect(authorityName({ host, user })).toBe(name);
  expect(name.length).toBeLessThanOrEqual(64);
});
