import { CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID, chromiumOrigin } from '../../../shared/src/protocol/identity.ts';
import { NATIVE_HOST_NAME } from '../../../shared/src/protocol/native.ts';
import { FILE_MODE, jsonText } from '../files.ts';
import { BROWSERS, type BrowserFamily } from './browsers.ts';
import { commandText, launcherText } from './launcher.ts';
import type { Layout } from './layout.ts';
import type { Receipt } from './receipt.ts';

/** A file as `install` writes it, and as `doctor` wants to find it. */
export interface InstalledFile {
  /** For whoever reads of it. */
  readonly name: string;
  readonly path: string;
  readonly content: string | Buffer;
  readonly mode: number;
}

export const EXECUTABLE_MODE = 0o755;

/** What browsers start. */
export function launcherFile({ nodePath, program, extensionIds }: Receipt, { launcher }: Layout): InstalledFile {
  return { name: 'launcher', path: launcher, content: launcherText(nodePath, program, extensionIds), mode: EXECUTABLE_MODE };
}

/** What people run; none where `install` has put none. */
export function commandFiles({ nodePath, program, command }: Receipt): InstalledFile[] {
  return command === null ? [] : [{ name: 'command', path: command, content: commandText(nodePath, program), mode: EXECUTABLE_MODE }];
}

/** What tells browsers of the launcher. */
export function manifestFiles({ manifests, extensionIds }: Receipt, { launcher }: Layout): InstalledFile[] {
  return manifests.map(({ browser, manifest }) => ({
    name: `manifest for ${BROWSERS[browser].title}`,
    path: manifest,
    content: manifestText(BROWSERS[browser].family, launcher, extensionIds),
    mode: FILE_MODE,
  }));
}

/** The native messaging manifest's text, in the form that this family of browsers reads. */
function manifestText(family: BrowserFamily, launcher: string, extensionIds: readonly string[]): string {
  const common = { name: NATIVE_HOST_NAME, description: 'Firstscreen helper', path: launcher, type: 'stdio' };
  const callers = family === 'chromium' ? { allowed_origins: [CHROMIUM_EXTENSION_ORIGIN, ...extensionIds.map(chromiumOrigin)] } : { allowed_extensions: [FIREFOX_ADDON_ID] };
  return jsonText({ ...common, ...callers });
}
