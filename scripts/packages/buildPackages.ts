import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { filesIn } from '../../helper/src/cli/managedExtension.ts';
import { zip, type PackedFile } from '../../helper/src/policy/zip.ts';
import { layOutTree } from './debianTree.ts';
import { makeBlob, makeExecutable } from './executable.ts';
import { STORE_LIMIT_BYTES, forPolicy, forStore, refuseOtherVersion, type Signing } from './extensionArchives.ts';
import { fetchNode, type Architecture } from './nodeBuilds.ts';
import { noticesText } from './notices.ts';
import { PackagingError } from './packagingError.ts';
import { runTool } from './runTool.ts';

export interface PackagingOptions {
  /** The checkout, with what its set-up builds. */
  readonly root: string;
  /** Where packages go. */
  readonly out: string;
  /** The first one is that of the Debian package. */
  readonly architectures: readonly Architecture[];
  /** Of the package for installation by policy; null without. */
  readonly signing: Signing | null;
  /** What is being done, for who waits. */
  readonly say: (text: string) => void;
}

/** Where Node is kept between runs. */
const NODE_CACHE = 'build/node';
const DEBIAN_ARCHITECTURES: Readonly<Record<Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/**
 * Makes every package of the checkout. The same commit makes the same bytes.
 *
 * @returns their paths, in the order of their names
 * @throws PackagingError
 */
export function buildPackages({ root, out, architectures, signing, say }: PackagingOptions): string[] {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const work = mkdtempSync(join(tmpdir(), 'firstscreen-packages-'));
  mkdirSync(out, { recursive: true });
  try {
    say('extensions');
    const extensions = packExtensions(root, version, signing);
    for (const { name, content } of extensions) writeFileSync(join(out, name), content);
    say('what goes into an executable');
    const blob = makeBlob(root, work);
    const executables = architectures.map((architecture) => {
      say(`executable for ${architecture}`);
      const node = fetchNode(architecture, join(root, NODE_CACHE));
      const name = `firstscreen-helper-${version}-linux-${architecture}`;
      makeExecutable(root, node.program, blob, join(out, name));
      return { name, architecture, licence: node.licence };
    });
    const helper = executables.slice(0, 1).flatMap(({ name, architecture, licence }) => {
      say('Debian package');
      return packHelper({ root, out, work, version, architecture, executable: join(out, name), licence });
    });
    return [...extensions, ...executables].map(({ name }) => name).concat(helper).sort().map((name) => join(out, name));
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The extension in each form, with the names of their files. */
function packExtensions(root: string, version: string, signing: Signing | null): PackedFile[] {
  const read = (browser: string): PackedFile[] => {
    const files = filesIn(join(root, 'dist/extension', browser)).sort((a, b) => (a.name < b.name ? -1 : 1));
    refuseOtherVersion(files, version);
    return files;
  };
  const managed = read('managed');
  const store = zip(forStore(read('chromium')));
  if (store.length >= STORE_LIMIT_BYTES) throw new PackagingError('E_PACKAGE_CONTENT', `The extension for the store has ${store.length} bytes, ${STORE_LIMIT_BYTES} are too many.`, 'Look for what has become large in dist/extension/chromium.');
  return [
    { name: `firstscreen-chromium-${version}.zip`, content: store },
    { name: `firstscreen-firefox-${version}.xpi`, content: zip(read('firefox')) },
    { name: `firstscreen-managed-${version}.zip`, content: zip(managed) },
    ...(signing === null ? [] : packSigned(managed, `firstscreen-managed-${version}`, signing)),
  ];
}

function packSigned(files: readonly PackedFile[], name: string, signing: Signing): PackedFile[] {
  const { crx, updateList } = forPolicy(files, `${name}.crx`, signing);
  return [{ name: `${name}.crx`, content: crx }, { name: `${name}.xml`, content: Buffer.from(updateList) }];
}

interface HelperContent extends Pick<PackagingOptions, 'root' | 'out'> {
  readonly work: string;
  readonly version: string;
  readonly architecture: Architecture;
  readonly executable: string;
  /** Of the Node inside. */
  readonly licence: string;
}

/** The Debian package, and the notices that belong to an executable. @returns the names of their files */
function packHelper({ root, out, work, version, architecture, executable, licence }: HelperContent): string[] {
  const notices = noticesText(root, licence);
  const noticesName = `firstscreen-helper-${version}-notices.txt`;
  writeFileSync(join(out, noticesName), notices);
  const epochSeconds = sourceDate(root);
  const tree = join(work, 'tree');
  layOutTree(tree, { version, executable, notices, epochSeconds });
  const debian = DEBIAN_ARCHITECTURES[architecture];
  const env = { SOURCE_DATE_EPOCH: String(epochSeconds) };
  runTool('sh', ['scripts/packages/build-deb.sh', 'firstscreen', debian, 'scripts/packages/debian', tree, out], { cwd: root, env, next: 'Look at what it says; it needs dpkg-deb.' });
  return [noticesName, `firstscreen_${version}_${debian}.deb`];
}

/** What each file is, for who downloads it: a line as sha256sum writes and checks it. */
export function sumsOf(paths: readonly string[]): string {
  return paths.map((path) => `${createHash('sha256').update(readFileSync(path)).digest('hex')}  ${basename(path)}\n`).join('');
}

export function sizeText(path: string): string {
  return `${(statSync(path).size / 1_000_000).toFixed(2)} MB`;
}

/** When the last commit was made, in seconds since 1970; what the environment says comes first (reproducible-builds.org/specs/source-date-epoch). */
function sourceDate(root: string): number {
  const said = process.env['SOURCE_DATE_EPOCH'] ?? runTool('git', ['log', '-1', '--format=%ct'], { cwd: root, next: 'Set SOURCE_DATE_EPOCH, outside of a repository.' }).trim();
  if (!/^\d{1,11}$/.test(said)) throw new PackagingError('E_PACKAGE_OPTION', `SOURCE_DATE_EPOCH is no number of seconds: ${said}`, 'Set it to one, or leave it out.');
  return Number(said);
}
