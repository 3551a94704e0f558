/**
 * Makes the packages that people install:
 * npm run package [-- --out DIR] [--architecture x64|arm64]... [--key FILE --update-url URL]
 *
 * With a private key it also signs the extension for installation by policy, for an administrator's own server.
 */
import { createPrivateKey } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { buildPackages, sizeText, sumsOf } from './buildPackages.ts';
import type { Signing } from './extensionArchives.ts';
import { ARCHITECTURES, type Architecture } from './nodeBuilds.ts';
import { PackagingError } from './packagingError.ts';

const NEXT = `Use: npm run package [-- --out DIR] [--architecture ${ARCHITECTURES.join('|')}]... [--key FILE --update-url URL]`;

function readOptions() {
  try {
    return parseArgs({ options: { out: { type: 'string', default: 'out' }, architecture: { type: 'string', multiple: true, default: [...ARCHITECTURES] }, key: { type: 'string' }, 'update-url': { type: 'string' } } }).values;
  } catch (cause) {
    throw new PackagingError('E_PACKAGE_OPTION', cause instanceof Error ? cause.message : 'The options can not be read.', NEXT, { cause });
  }
}

function checkArchitecture(name: string): Architecture {
  const architecture = ARCHITECTURES.find((known) => known === name);
  if (architecture !== undefined) return architecture;
  throw new PackagingError('E_PACKAGE_OPTION', `There is no executable for "${name}".`, NEXT);
}

function readSigning(key: string | undefined, updateUrl: string | undefined): Signing | null {
  if (key === undefined && updateUrl === undefined) return null;
  if (key === undefined || updateUrl === undefined || !URL.canParse(updateUrl)) throw new PackagingError('E_PACKAGE_OPTION', 'Signing takes a key and the URL of a directory.', NEXT);
  try {
    return { key: createPrivateKey(readFileSync(key)), updateUrl };
  } catch {
    // not with its cause: a parser's words may hold what it has read
    throw new PackagingError('E_PACKAGE_OPTION', `${key} is no private key that can be read.`, 'Make one with: openssl genrsa -out extension.key.pem 2048');
  }
}

try {
  const { out, architecture, key, 'update-url': updateUrl } = readOptions();
  const signing = readSigning(key, updateUrl);
  const root = fileURLToPath(new URL('../..', import.meta.url));
  const made = buildPackages({ root, out: resolve(out), architectures: architecture.map(checkArchitecture), signing, say: (text) => process.stderr.write(`package: ${text} ...\n`) });
  writeFileSync(join(out, 'SHA256SUMS'), sumsOf(made));
  for (const path of made) process.stdout.write(`${path}  ${sizeText(path)}\n`);
} catch (error) {
  if (!(error instanceof PackagingError)) throw error;
  process.stderr.write(`${error.code}: ${error.message} ${error.next}\n`);
  process.exitCode = 2;
}
