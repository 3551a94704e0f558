import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { BROWSER_NAMES, type BrowserName } from './browsers.ts';
import { readIfPresent } from '../files.ts';

const path = v.string();
const BrowserSchema = v.picklist(BROWSER_NAMES as [BrowserName, ...BrowserName[]]);

const ReceiptSchema = v.object({
  format: v.literal(1),
  version: v.string(),
  /** Null when the program has Node inside. */
  nodePath: v.nullable(path),
  /** What the launcher runs: a copied bundle or executable, or what runs in place (the sources, the Debian package's executable). */
  program: path,
  /** The script that people run, where `install` has put one into a directory of PATH. */
  command: v.optional(v.nullable(path), null),
  manifests: v.array(v.object({ browser: BrowserSchema, manifest: path })),
  /** Extensions that may use the helper beside the one with the pinned id. */
  extensionIds: v.optional(v.array(v.string()), []),
  /** What `install --policy` made; null without it. */
  policy: v.optional(v.nullable(v.object({ extensionId: v.string(), version: v.string(), crxSha256: v.string(), files: v.array(v.object({ browser: BrowserSchema, file: path })) })), null),
  /** Directories that were not there before, outermost first. */
  directories: v.array(path),
});

/** What `install` made, kept beside the launcher so that `uninstall` removes that and nothing else. */
export type Receipt = v.InferOutput<typeof ReceiptSchema>;

/** The receipt, or null when nothing is installed. @throws FirstscreenError E_INSTALL when there is a file that is no receipt */
export function readReceipt(file: string): Receipt | null {
  try {
    const text = readIfPresent(file);
    return text === null ? null : v.parse(ReceiptSchema, JSON.parse(text));
  } catch (cause) {
    throw new FirstscreenError('E_INSTALL', `The record of the installation, ${file}, can not be read.`, `Make it yours, if it is not, or remove it; then run "firstscreen-helper install" again.`, { cause });
  }
}

/** Each once, told apart by its key: itself, or the path that it is about. */
export function distinct<T>(all: readonly T[], keyOf: (one: T) => unknown = (one) => one): T[] {
  return [...new Map(all.map((one) => [keyOf(one), one])).values()];
}
