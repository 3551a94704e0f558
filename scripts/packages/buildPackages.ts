import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import process from 'node:process';
import { gzipSync } from 'node:zlib';
import { filesIn } from '../../helper/src/cli/managedExtension.ts';
import { zip, type PackedFile } from '../../helper/src/policy/zip.ts';
import { layOutTree } from './debianTree.ts';
import { makeBlob, makeExecutable, type PackagedProgram } from './executable.ts';
import { STORE_LIMIT_BYTES, forPolicy, forStore, refuseOtherVersion, type Signing } from './extensionArchives.ts';
import { fetchNode, type Architecture } from './nodeBuilds.ts';
import { noticesText } from './notices.ts';
import type { DebianContent } from './packageTree.ts';
import { PackagingError } from './packagingError.ts';
import { NO_LIBRARIES, layOutLibraries, relayLibraries, type Libraries } from './relayLibraries.ts';
import { layOutRelayTree } from './relayTree.ts';
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

/** Where archives of the npm registry are kept between runs. */
const ARCHIVE_CACHE = 'build/npm';
/** Beside an executable in its archive. */
const NOTICES = 'third-party-notices.txt';
/** Of gzip, as of xz in build-deb.sh. */
const DEFAULT_LEVEL = 6;
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
    const programs = PROGRAMS.flatMap((packaged) => packProgram({ root, out, work, version, architectures, packaged, say }));
    return [...extensions.map(({ name }) => name), ...programs].sort().map((name) => join(out, name));
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

/** A program that people install: as an executable for each architecture, in an archive where something lies beside it, and as a Debian package for one of them. */
interface Packaged {
  readonly program: PackagedProgram;
  /** Of the Debian package. */
  readonly debianName: string;
  /** Its files for the package, beside those that are installed. */
  readonly debianDirectory: string;
  /** Whose package.json lists what is inside. */
  readonly part: string;
  /** What has to lie beside the executable; null for a program that is one file. */
  readonly libraries: ((root: string, architecture: Architecture, cache: string) => Libraries) | null;
  readonly layOut: (tree: string, content: DebianContent) => void;
}

const HELPER_PACKAGE: Packaged = { program: 'firstscreen-helper', debianName: 'firstscreen', debianDirectory: 'scripts/packages/debian', part: '.', libraries: null, layOut: layOutTree };
const RELAY_PACKAGE: Packaged = { program: 'firstscreen-relay', debianName: 'firstscreen-relay', debianDirectory: 'scripts/packages/relay', part: 'relay', libraries: relayLibraries, layOut: layOutRelayTree };
const PROGRAMS = [HELPER_PACKAGE, RELAY_PACKAGE];

interface ProgramContent extends Pick<PackagingOptions, 'root' | 'out' | 'architectures' | 'say'> {
  readonly work: string;
  readonly version: string;
  readonly packaged: Packaged;
}

/** @returns the names of its files: executables or archives, the notices that belong to one, the Debian package */
function packProgram({ root, out, work, version, architectures, packaged: { program, debianName, debianDirectory, part, libraries, layOut }, say }: ProgramContent): string[] {
  say(`what goes into an executable of ${program}`);
  const blob = makeBlob(program, root, work);
  const cache = join(root, ARCHIVE_CACHE);
  const epochSeconds = sourceDate(root);
  const made = architectures.map((architecture) => {
    say(`${program} for ${architecture}`);
    const node = fetchNode(architecture, cache);
    const { files, notices: more } = libraries?.(root, architecture, cache) ?? NO_LIBRARIES;
    const notices = noticesText(root, join(root, part), node.licence, more);
    const product = `${program}-${version}-linux-${architecture}`;
    if (libraries === null) {
      makeExecutable(root, node.program, blob, join(out, product));
      return { name: product, architecture, executable: join(out, product), files, notices };
    }
    const folder = join(work, product);
    layOutLibraries(files, folder);
    makeExecutable(root, node.program, blob, join(folder, program));
    writeFileSync(join(folder, NOTICES), notices);
    const name = `${product}.tar.gz`;
    // the program comes first, by which it is told what machine it is for (relayProgram.ts)
    makeArchive(folder, [program, 'node_modules', NOTICES], join(out, name), epochSeconds);
    return { name, architecture, executable: join(folder, program), files, notices };
  });
  const others = made.slice(0, 1).flatMap(({ architecture, executable, files, notices }) => {
    say(`Debian package ${debianName}`);
    const noticesName = `${program}-${version}-notices.txt`;
    writeFileSync(join(out, noticesName), notices);
    const tree = join(work, debianName);
    layOut(tree, { version, executable, libraries: files, notices, epochSeconds });
    const debian = DEBIAN_ARCHITECTURES[architecture];
    const env = { SOURCE_DATE_EPOCH: String(epochSeconds) };
    runTool('sh', ['scripts/packages/build-deb.sh', debianName, debian, debianDirectory, tree, out], { cwd: root, env, next: 'Look at what it says; it needs dpkg-deb.' });
    return [noticesName, `${debianName}_${version}_${debian}.deb`];
  });
  return [...made.map(({ name }) => name), ...others];
}

/** What is in a folder, in this order, belonging to root and for everybody to read, whoever packs it and when. */
function makeArchive(folder: string, names: readonly string[], output: string, epochSeconds: number): void {
  const same = ['--format=ustar', '--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mode=u=rwX,go=rX', `--mtime=@${epochSeconds}`];
  const tar = `${folder}.tar`;
  runTool('tar', ['--create', ...same, '--file', tar, '--directory', folder, ...names], { cwd: folder, next: 'It needs GNU tar.' });
  writeFileSync(output, gzipSync(readFileSync(tar), { level: Number(process.env['DEB_LEVEL'] ?? DEFAULT_LEVEL) }));
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
