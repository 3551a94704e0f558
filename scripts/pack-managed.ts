/**
 * Packs the extension for installation by policy, where Chromium lets it hold requests itself (docs/adr/0007):
 * `npm run pack:managed -- --out DIR [--key FILE] [--extension DIR] [--chromium PATH] [--json]`.
 */
import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PRIVATE_FILE_MODE = 0o600;
const RSA_BITS = 2048;
const ID_DIGITS = 32;

interface Options {
  readonly out: string;
  readonly keyFile: string;
  readonly extensionDir: string;
  readonly chromium: string;
  readonly json: boolean;
}

class PackError extends Error {
  readonly code: string;
  readonly next: string;

  constructor(code: string, message: string, next: string) {
    super(message);
    this.code = code;
    this.next = next;
  }
}

function parseOptions(): Options {
  const { values } = parse();
  if (values.out === undefined) throw new PackError('E_OPTION', 'no directory was named', 'name one that stays where it is with --out: the browser reads the extension from there');
  const out = resolve(values.out);
  return {
    out,
    keyFile: resolve(values.key ?? join(out, 'firstscreen.pem')),
    extensionDir: resolve(values.extension ?? join(ROOT, 'dist/extension/managed')),
    chromium: values.chromium ?? '/usr/bin/chromium',
    json: values.json ?? false,
  };
}

function parse() {
  try {
    return parseArgs({
      options: { out: { type: 'string' }, key: { type: 'string' }, extension: { type: 'string' }, chromium: { type: 'string' }, json: { type: 'boolean' } },
    });
  } catch (error) {
    throw new PackError('E_OPTION', error instanceof Error ? error.message : String(error), 'the options are --out, --key, --extension, --chromium and --json');
  }
}

/** The key names the extension: with the one of an earlier run the browsers take the package for an update. */
function readOrMakeKey(file: string): { readonly id: string } {
  if (!existsSync(file)) {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: RSA_BITS });
    writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: PRIVATE_FILE_MODE, flag: 'wx' });
  }
  return { id: idOf(readPublicKey(file)) };
}

function readPublicKey(file: string): Buffer {
  try {
    return createPublicKey(createPrivateKey(readFileSync(file))).export({ type: 'spki', format: 'der' });
  } catch {
    throw new PackError('E_KEY', `${file} is no private key`, 'remove it, and a new one is made; browsers then take the extension for another one');
  }
}

/** Chromium names an extension after the first half of its key's SHA-256, with the letters a to p for the digits. */
function idOf(publicKeyDer: Buffer): string {
  const digest = createHash('sha256').update(publicKeyDer).digest('hex').slice(0, ID_DIGITS);
  return digest.replaceAll(/./g, (digit) => String.fromCharCode('a'.charCodeAt(0) + Number.parseInt(digit, 16)));
}

/** The browser itself packs: the format is its own. */
function packCrx({ chromium, extensionDir, keyFile }: Options, crxFile: string): void {
  const temporaryDir = mkdtempSync(join(tmpdir(), 'firstscreen-pack-'));
  try {
    const copy = join(temporaryDir, 'extension');
    cpSync(extensionDir, copy, { recursive: true });
    // nothing of the web runs in it, and as root it does not start with its sandbox
    const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const args = ['--headless=new', ...asRoot, `--user-data-dir=${join(temporaryDir, 'profile')}`, `--pack-extension=${copy}`, `--pack-extension-key=${keyFile}`];
    const { error, stderr } = spawnSync(chromium, args, { encoding: 'utf8', timeout: 60_000 });
    if (!existsSync(`${copy}.crx`)) throw new PackError('E_PACK', `${chromium} did not pack the extension: ${error?.message ?? lastLine(stderr)}`, 'name a Chromium or Chrome with --chromium');
    cpSync(`${copy}.crx`, `${crxFile}.new`);
    renameSync(`${crxFile}.new`, crxFile);
  } finally {
    rmSync(temporaryDir, { recursive: true, force: true, maxRetries: 5 });
  }
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1) ?? '';
}

function updateManifest(id: string, version: string, crxFile: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<gupdate xmlns="http://www.google.com/update2/response" protocol="2.0">
  <app appid="${id}"><updatecheck codebase="${pathToFileURL(crxFile).href}" version="${version}"/></app>
</gupdate>
`;
}

function readVersion(extensionDir: string): string {
  const file = join(extensionDir, 'manifest.json');
  if (!existsSync(file)) throw new PackError('E_BUILD', `${file} is missing`, 'run npm run build');
  return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version;
}

function main(): void {
  const options = parseOptions();
  const version = readVersion(options.extensionDir);
  mkdirSync(options.out, { recursive: true });
  const crxFile = join(options.out, 'firstscreen.crx');
  const updateFile = join(options.out, 'update.xml');
  const policyFile = join(options.out, 'firstscreen.json');
  const { id } = readOrMakeKey(options.keyFile);
  packCrx(options, crxFile);
  writeFileSync(updateFile, updateManifest(id, version, crxFile));
  const policy = { ExtensionSettings: { [id]: { installation_mode: 'force_installed', update_url: pathToFileURL(updateFile).href } } };
  writeFileSync(policyFile, `${JSON.stringify(policy, null, 2)}\n`);
  const report = { id, policyFile };
  process.stdout.write(options.json ? `${JSON.stringify(report)}\n` : `Extension ${id} ${version} packed.\nTo install it, as root: install -D -m 644 ${policyFile} /etc/chromium/policies/managed/firstscreen.json\nTo remove it: rm /etc/chromium/policies/managed/firstscreen.json\n`);
}

try {
  main();
} catch (error) {
  if (!(error instanceof PackError)) throw error;
  process.stderr.write(`pack-managed: ${error.message}; ${error.next} (${error.code})\n`);
  process.exitCode = 1;
}
