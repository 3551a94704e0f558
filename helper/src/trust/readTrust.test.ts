import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { temporaryMachine, type TemporaryMachine } from '../testing/temporaryMachine.ts';
import { ownDirectory } from '../userDirectories.ts';
import { createAuthority } from './certificates.ts';
import { readServerAuthorities } from './readTrust.ts';

let machine: TemporaryMachine;
beforeEach(() => void (machine = temporaryMachine('linux')));

it('are read from a file that the user alone may write', async () => {
  const { certificatePem } = await createAuthority({ host: 'machine', user: 'user' }, new Date());
  const directory = ownDirectory('CONFIG', machine);
  const path = join(directory, 'server-authorities.pem');
  expect(readServerAuthorities(machine)).toEqual({ pem: null, warnings: [] });
  mkdirSync(directory, { recursive: true });
  writeFileSync(path, certificatePem);
  const read = (mode: number): unknown => {
    chmodSync(path, mode);
    const { pem, warnings } = readServerAuthorities(machine);
    return pem ?? warnings.map(({ code, message }) => `${code} ${message}`);
  };
  const refused = [`E_SERVER_AUTHORITIES ${path} is not used: others may write it.`];
  expect([0o600, 0o644, 0o664, 0o666].map(read)).toEqual([certificatePem, certificatePem, refused, refused]);
});

it.each([
  ['nothing', () => ''],
  ['no certificate', () => 'Company Root CA'],
  ['a broken one beside a whole one', (whole: string) => `${whole}${whole.replace(/MII/, '*II')}`],
  ['half of one beside a whole one', (whole: string) => `${whole}${whole.slice(0, 100)}`],
])('are not read from a file that holds %s, with a warning', async (_, contentOf) => {
  const { certificatePem } = await createAuthority({ host: 'machine', user: 'user' }, new Date());
  const directory = ownDirectory('CONFIG', machine);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'server-authorities.pem'), contentOf(certificatePem), { mode: 0o600 });
  expect(readServerAuthorities(machine)).toMatchObject({ pem: null, warnings: [{ code: 'E_SERVER_AUTHORITIES', message: expect.stringContaining('no certificate in PEM') as string }] });
});

it('are not read from where a link leads, with a warning', () => {
  const directory = ownDirectory('CONFIG', machine);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, 'other.pem'), 'PEM');
  symlinkSync('other.pem', join(directory, 'server-authorities.pem'));
  expect(readServerAuthorities(machine)).toMatchObject({ pem: null, warnings: [{ code: 'E_SERVER_AUTHORITIES' }] });
});
