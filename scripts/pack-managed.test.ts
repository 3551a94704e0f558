import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PACKER = join(import.meta.dirname, 'pack-managed.ts');
/** Packs as Chromium does, as far as the caller sees it. */
const FAKE_CHROMIUM = `#!/bin/sh
for argument; do case "$argument" in --pack-extension=*) echo packed > "\${argument#--pack-extension=}.crx";; esac; done
`;

describe('pack-managed', () => {
  let dir: string;
  let chromium: string;
  let extension: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'pack managed-'));
    chromium = join(dir, 'chromium');
    extension = join(dir, 'extension');
    mkdirSync(extension);
    writeFileSync(chromium, FAKE_CHROMIUM, { mode: 0o755 });
    writeFileSync(join(extension, 'manifest.json'), '{"version":"1.2.3"}');
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  const out = (): string => join(dir, 'out');
  const run = (...args: string[]) => spawnSync(process.execPath, [PACKER, ...args], { encoding: 'utf8' });
  const pack = (...args: string[]) => run('--json', '--out', out(), '--extension', extension, '--chromium', chromium, ...args);
  const idOf = (stdout: string): string => (JSON.parse(stdout) as { id: string }).id;

  it('writes a policy that leads to the package by way of the update manifest, all by full path', () => {
    const { stdout } = pack();
    const { id, policyFile } = JSON.parse(stdout) as { id: string; policyFile: string };
    expect(id).toMatch(/^[a-p]{32}$/);
    const policy = JSON.parse(readFileSync(policyFile, 'utf8')) as { ExtensionSettings: Record<string, { installation_mode: string; update_url: string }> };
    const settings = policy.ExtensionSettings[id];
    expect(settings?.installation_mode).toBe('force_installed');
    const update = readFileSync(new URL(settings?.update_url ?? ''), 'utf8');
    expect(update).toContain(`appid="${id}"`);
    expect(update).toContain('version="1.2.3"');
    expect(readFileSync(new URL(/codebase="([^"]+)"/.exec(update)?.[1] ?? ''), 'utf8')).toBe('packed\n');
  });

  it('keeps its key, so that the next package is an update, and keeps it private', () => {
    const first = idOf(pack().stdout);
    expect(idOf(pack().stdout)).toBe(first);
    expect(statSync(join(out(), 'firstscreen.pem')).mode & 0o777).toBe(0o600);
    expect(idOf(pack('--key', join(dir, 'other.pem')).stdout)).not.toBe(first);
  });

  it.each<[string, () => ReturnType<typeof run>]>([
    ['E_OPTION', () => run('--json')],
    ['E_OPTION', () => pack('--force')],
    ['E_BUILD', () => pack('--extension', join(dir, 'nothing'))],
    ['E_PACK', () => pack('--chromium', '/bin/true')],
    ['E_PACK', () => pack('--chromium', join(dir, 'no-browser'))],
    ['E_KEY', () => pack('--key', join(extension, 'manifest.json'))],
  ])('says %s and what to do, and ends with 1', (code, act) => {
    const { status, stderr, stdout } = act();
    expect(status).toBe(1);
    expect(stdout).toBe('');
    expect(stderr).toContain(`(${code})`);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  });
});
