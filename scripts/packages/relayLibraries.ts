import { chmodSync, copyFileSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { Architecture } from './nodeBuilds.ts';
import { dependenciesOf, type Notice } from './notices.ts';
import { fetchArchive, type NpmArchive } from './npmArchive.ts';
import { PackagingError } from './packagingError.ts';

/** A file that lies beside an executable. */
export interface LibraryFile {
  /** From there, as in "node_modules/sharp/package.json". */
  readonly path: string;
  /** Where it is now. */
  readonly source: string;
}

export interface Libraries {
  readonly files: readonly LibraryFile[];
  /** Of what no package.json of ours lists. */
  readonly notices: readonly Notice[];
}

export const NO_LIBRARIES: Libraries = { files: [], notices: [] };

const FILE_MODE = 0o644;
/** What Node loads; the rest is for compilers and readers. */
const IS_LOADED = /\.(?:c?js|node|json)$|\.so(?:\.\d+)*$/;
/** Packages of their own, programs, and what npm runs once. */
const NOT_LOADED = ['node_modules', 'bin', 'install'];
/** What relays share pictures with (webpack.config.js); its licences are those that package.json of the relay leads to. */
const STORE = 'node_modules/firstscreen-relay-store/index.js';
/** Where Debian has the texts that a licence may point to (base-files). */
const COMMON_LICENCES = '/usr/share/common-licenses';

/**
 * What the relay codes pictures anew with, and shares them: sharp, what it needs, and what both are built on for that machine. They are files, as an executable can
 * have no library inside that the system is to load, and as whoever has them may put another libvips in their place (LGPL).
 *
 * @param cache directory that is kept between runs
 * @throws PackagingError
 */
export function relayLibraries(root: string, architecture: Architecture, cache: string): Libraries {
  const sharp = join(root, 'node_modules/sharp');
  const written = [sharp, ...dependenciesOf(root, sharp).map(({ directory }) => directory)].map((directory) => ({ place: relative(root, directory), directory }));
  const [addon, libvips] = [lockedArchive(root, `@img/sharp-linux-${architecture}`), lockedArchive(root, `@img/sharp-libvips-linux-${architecture}`)];
  const built = [addon, libvips].map((archive) => ({ place: `node_modules/${archive.name}`, directory: fetchArchive(archive, cache) }));
  const [ofAddon = '', ofLibvips = ''] = built.map(({ directory }) => directory);
  return {
    files: [...[...written, ...built].flatMap(({ place, directory }) => loadedFiles(directory).map((path) => ({ path: join(place, path), source: join(directory, path) }))), { path: STORE, source: join(root, 'dist', STORE) }],
    notices: [
      { title: `${addon.name} ${addon.version}`, text: readFileSync(join(ofAddon, 'LICENSE'), 'utf8') },
      { title: `${libvips.name} ${libvips.version}`, text: libvipsNotice(ofLibvips, libvips.version) },
      ...['LGPL-3', 'GPL-3'].map((name) => ({ title: name, text: commonLicence(name) })),
    ],
  };
}

/** Copies them to where they are loaded from, for everybody to read. @param beside the directory of the executable */
export function layOutLibraries(files: readonly LibraryFile[], beside: string): void {
  for (const { path, source } of files) {
    const place = join(beside, path);
    mkdirSync(dirname(place), { recursive: true });
    copyFileSync(source, place);
    // not by the mode that npm gave it
    chmodSync(place, FILE_MODE);
  }
}

/** As package-lock.json has it, for machines as well that npm does not install for here. */
function lockedArchive(root: string, name: string): NpmArchive {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Readonly<Record<string, Partial<NpmArchive>>> };
  const { version, integrity } = packages[`node_modules/${name}`] ?? {};
  if (version !== undefined && integrity !== undefined) return { name, version, integrity };
  throw new PackagingError('E_PACKAGE_CONTENT', `package-lock.json has no ${name}.`, 'See what the installed sharp is built on for that machine (optionalDependencies).');
}

function loadedFiles(directory: string): string[] {
  const found = readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    if (!entry.isDirectory()) return IS_LOADED.test(entry.name) ? [entry.name] : [];
    return NOT_LOADED.includes(entry.name) ? [] : loadedFiles(join(directory, entry.name)).map((path) => join(entry.name, path));
  });
  return found.sort();
}

/** Which libraries are in it by which licences, as its makers say it, and where their sources are. */
function libvipsNotice(directory: string, version: string): string {
  const [told, versions] = ['README.md', 'versions.json'].map((name) => readFileSync(join(directory, name), 'utf8').trim());
  return `${told}\n\nVersions:\n${versions}\n\nSources: https://github.com/lovell/sharp-libvips, release ${version}, which says where those of each library are. The library is a file of its\nown and may be replaced by another that is built from them. LGPL and GPL follow below.`;
}

function commonLicence(name: string): string {
  try {
    return readFileSync(join(COMMON_LICENCES, name), 'utf8');
  } catch (cause) {
    throw new PackagingError('E_PACKAGE_CONTENT', `There is no ${join(COMMON_LICENCES, name)}.`, 'Make packages on Debian, whose base-files has it.', { cause });
  }
}
