import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import type { TestProject } from 'vitest/node';
import { run } from './ended.ts';

const ROOT = join(import.meta.dirname, '../..');
/** Of xz and gzip: a package that nobody downloads need not be small. */
const QUICK = '0';

declare module 'vitest' {
  interface ProvidedContext {
    /** Two folders with every package: one to look at, one to compare. */
    packages: readonly [string, string];
  }
}

/** Makes every package twice, in different folders, for all tests of packages. @returns what removes them */
export default async function setup(project: TestProject): Promise<() => void> {
  const directory = mkdtempSync(join(tmpdir(), 'firstscreen-packages-test-'));
  const key = join(directory, 'key.pem');
  writeFileSync(key, generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  const pack = async (to: string): Promise<string> => {
    await run(process.execPath, ['scripts/packages/cli.ts', '--architecture', 'x64', '--out', to, '--key', key, '--update-url', 'https://updates.test/'], { cwd: ROOT, env: { ...process.env, DEB_LEVEL: QUICK } });
    return to;
  };
  project.provide('packages', await Promise.all([pack(join(directory, 'one')), pack(join(directory, 'another/one'))]));
  return () => rmSync(directory, { recursive: true, force: true });
}
