import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { getAssetKeys, getRawAsset } from 'node:sea';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { PackedFile } from '../policy/zip.ts';
import { isSource, type Program } from './program.ts';

/** What the names of an executable's assets begin with that are files of the extension. */
export const EXTENSION_ASSETS = 'managed/';

/** The extension for browsers under a policy, as it was built. */
export interface ManagedExtension {
  readonly version: string;
  /** By name, so that the same extension makes the same package. */
  readonly files: readonly PackedFile[];
}

/** The extension that came with the helper: inside an executable, otherwise beside it. @throws FirstscreenError E_POLICY */
export function readManagedExtension(program: Program): ManagedExtension {
  const place = program.nodePath === null ? 'the executable' : join(dirname(program.entry), isSource(program) ? '../../dist/extension/managed' : '../extension/managed');
  try {
    return extensionOf(program.nodePath === null ? assets() : filesIn(place));
  } catch (cause) {
    throw new FirstscreenError('E_POLICY', `The extension for browsers under a policy is not in ${place}, where it is delivered or built.`, 'Run the helper that came with Firstscreen from where it was unpacked, or "npm run build" first.', { cause });
  }
}

/** @throws when it has no manifest */
export function extensionOf(files: readonly PackedFile[]): ManagedExtension {
  const manifest = files.find(({ name }) => name === 'manifest.json');
  const { version } = JSON.parse(manifest?.content.toString() ?? '') as { version: string };
  return { version, files: files.toSorted((a, b) => (a.name < b.name ? -1 : 1)) };
}

/** Every file under a directory, by its name in it. */
export function filesIn(directory: string): PackedFile[] {
  const found = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = found.map(({ parentPath, name }) => join(parentPath, name));
  return paths.map((path) => ({ name: path.slice(directory.length + 1).split(sep).join('/'), content: readFileSync(path) }));
}

function assets(): PackedFile[] {
  const keys = getAssetKeys().filter((key) => key.startsWith(EXTENSION_ASSETS));
  return keys.map((key) => ({ name: key.slice(EXTENSION_ASSETS.length), content: Buffer.from(getRawAsset(key)) }));
}
