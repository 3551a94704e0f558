import type { KeyObject } from 'node:crypto';
import { extensionIdOf, packCrx } from '../../helper/src/policy/crx.ts';
import { updateListText } from '../../helper/src/policy/updateList.ts';
import type { PackedFile } from '../../helper/src/policy/zip.ts';
import { PackagingError } from './packagingError.ts';

/** What a store takes at most, of our own choice: a download on the links that this is for. */
export const STORE_LIMIT_BYTES = 500_000;

/** How an administrator's own package is signed, and where browsers will find it. */
export interface Signing {
  /** Private, RSA: it names the extension, for as long as it is used. */
  readonly key: KeyObject;
  /** The directory on a server that package and list of versions are put into: a URL. */
  readonly updateUrl: string;
}

/**
 * The extension as the Chrome Web Store takes it: without the `key` that gives an unpacked extension its id, as the
 * store has a key of its own for it.
 *
 * @throws PackagingError E_PACKAGE_CONTENT when a manifest is missing or is none
 */
export function forStore(files: readonly PackedFile[]): PackedFile[] {
  return files.map((file) => {
    if (file.name !== 'manifest.json') return file;
    const { key: _ofUnpacked, ...manifest } = manifestOf(files);
    return { ...file, content: Buffer.from(JSON.stringify(manifest, null, 2)) };
  });
}

/** Signed for installation by policy, and the list of versions that leads browsers to it. The same files and key give the same bytes. */
export function forPolicy(files: readonly PackedFile[], packageName: string, { key, updateUrl }: Signing): { readonly crx: Buffer; readonly updateList: string } {
  const { version } = manifestOf(files);
  const codebase = new URL(packageName, updateUrl.endsWith('/') ? updateUrl : `${updateUrl}/`).href;
  return { crx: packCrx(files, key), updateList: updateListText(extensionIdOf(key), version, codebase) };
}

/** @throws PackagingError E_PACKAGE_CONTENT when the extension was built of another version */
export function refuseOtherVersion(files: readonly PackedFile[], version: string): void {
  const found = manifestOf(files).version;
  if (found !== version) throw new PackagingError('E_PACKAGE_CONTENT', `The built extension is ${found}, package.json says ${version}.`, 'Run: npm run build');
}

function manifestOf(files: readonly PackedFile[]): { readonly version: string; readonly key?: string } {
  const text = files.find(({ name }) => name === 'manifest.json')?.content.toString();
  if (text === undefined) throw new PackagingError('E_PACKAGE_CONTENT', 'The built extension has no manifest.', 'Run: npm run build');
  return JSON.parse(text) as { version: string; key?: string };
}
