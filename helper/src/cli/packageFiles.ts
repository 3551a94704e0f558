import { FILE_MODE, jsonText } from '../files.ts';
import { HELPER_VERSION } from '../version.ts';
import { launcherFile, manifestFiles, type InstalledFile } from './installedFiles.ts';
import { layoutOf } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Receipt } from './receipt.ts';
import { allTargets } from './targets.ts';

/**
 * What the Debian package has beside the executable: what `install --system` would write, for each browser that
 * documents a place for all users, so that `status`, `doctor` and `uninstall` know the package as they know an
 * installation.
 */
export function packageFiles(machine: Machine): InstalledFile[] {
  const layout = layoutOf('package', machine);
  const receipt: Receipt = {
    format: 1,
    version: HELPER_VERSION,
    nodePath: null,
    program: layout.executable,
    // the package has its own in /usr/bin
    command: null,
    manifests: allTargets({ scope: 'system' }, [], machine),
    extensionIds: [],
    policy: null,
    directories: [],
  };
  const receiptFile = { name: 'receipt', path: layout.receipt, content: jsonText(receipt), mode: FILE_MODE };
  return [launcherFile(receipt, layout), receiptFile, ...manifestFiles(receipt, layout)];
}
