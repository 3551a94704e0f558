import { createHash, createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../../shared/src/node/testing/temporaryDirectory.ts';
import { CHROMIUM_EXTENSION_ID } from '../../../shared/src/protocol/identity.ts';
import { extensionIdOf, packCrx } from './crx.ts';

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const FILES = [
  { name: 'manifest.json', content: Buffer.from('{"version":"1.2.3"}') },
  { name: 'icons/ü.bin', content: Buffer.from(Array.from({ length: 70_000 }, (_, index) => index & 255)) },
  { name: 'empty', content: Buffer.alloc(0) },
];

it('names an extension as browsers do, by the key in its manifest', () => {
  const { key } = JSON.parse(readFileSync(join(import.meta.dirname, '../../../extension/src/manifest/chromium.json'), 'utf8')) as { key: string };
  expect(extensionIdOf(createPublicKey({ key: Buffer.from(key, 'base64'), format: 'der', type: 'spki' }))).toBe(CHROMIUM_EXTENSION_ID);
});

it('packs files that an unpacker of others finds whole, signed over all that counts', () => {
  const crx = packCrx(FILES, privateKey);
  expect(crx.subarray(0, 4).toString()).toBe('Cr24');
  const archive = crx.subarray(12 + crx.readUInt32LE(8));
  const directory = temporaryDirectory();
  const file = join(directory, 'a.zip');
  writeFileSync(file, archive);
  execFileSync('python3', ['-c', 'import sys, zipfile; archive = zipfile.ZipFile(sys.argv[1]); assert archive.testzip() is None; archive.extractall(sys.argv[2])', file, directory]);
  for (const { name, content } of FILES) expect(readFileSync(join(directory, name)).equals(content), name).toBe(true);
  const der = createPublicKey(privateKey).export({ type: 'spki', format: 'der' });
  const signedData = Buffer.concat([Buffer.from([0x0a, 16]), createHash('sha256').update(der).digest().subarray(0, 16)]);
  const signature = crx.subarray(crx.indexOf(der) + der.length + 3).subarray(0, 256);
  const length = Buffer.from([signedData.length, 0, 0, 0]);
  expect(verify('sha256', Buffer.concat([Buffer.from('CRX3 SignedData\0'), length, signedData, archive]), privateKey, signature)).toBe(true);
});

it('gives the same bytes for the same files and key', () => {
  expect(packCrx(FILES, privateKey).equals(packCrx(FILES, privateKey))).toBe(true);
});
