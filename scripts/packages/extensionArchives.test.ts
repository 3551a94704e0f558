import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { extensionIdOf } from '../../helper/src/policy/crx.ts';
import { forPolicy, forStore, refuseOtherVersion } from './extensionArchives.ts';

const FILES = [
  { name: 'background.js', content: Buffer.from('1') },
  { name: 'manifest.json', content: Buffer.from('{"version":"1.2.3","key":"AAAA","name":"x"}') },
];

describe('the extension for the store', () => {
  it('has everything but the key', () => {
    const [script, manifest] = forStore(FILES);
    expect(script).toBe(FILES[0]);
    expect(JSON.parse(manifest?.content.toString() ?? '')).toEqual({ version: '1.2.3', name: 'x' });
  });
});

describe('the extension for an administrator', () => {
  const { privateKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 });

  it.each(['https://a.test/x', 'https://a.test/x/'])('is signed with his key, and named in his list of versions at %s', (updateUrl) => {
    const { crx, updateList } = forPolicy(FILES, 'a.crx', { key, updateUrl });
    expect(crx.subarray(0, 4).toString()).toBe('Cr24');
    expect(updateList).toContain(`appid="${extensionIdOf(key)}"`);
    expect(updateList).toContain('codebase="https://a.test/x/a.crx" version="1.2.3"');
  });

  it('is the same for the same files and key', () => {
    const signing = { key, updateUrl: 'https://a.test/' };
    expect(forPolicy(FILES, 'a.crx', signing)).toEqual(forPolicy(FILES, 'a.crx', signing));
  });
});

it('refuses what was built of another version, or is no extension', () => {
  expect(() => refuseOtherVersion(FILES, '1.2.3')).not.toThrow();
  expect(() => refuseOtherVersion(FILES, '1.2.4')).toThrow(expect.objectContaining({ code: 'E_PACKAGE_CONTENT', next: expect.stringContaining('build') as string }));
  expect(() => refuseOtherVersion([], '1.2.3')).toThrow(expect.objectContaining({ code: 'E_PACKAGE_CONTENT' }));
});
