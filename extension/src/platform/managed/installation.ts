import type { Installed, InstallationKind } from '../installation.ts';

export const INSTALLATION: InstallationKind = 'policy';

/**
 * Whether the welcome page opens by itself: an administrator has installed the extension, not whoever uses this browser.
 * So no load of the benchmark, whose Chromium has this bundle, has a tab beside it.
 */
export function greets(_installed: Installed): boolean {
  return false;
}
