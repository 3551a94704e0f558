import type { Installed, InstallationKind } from '../installation.ts';

export const INSTALLATION: InstallationKind = 'firefox';

/**
 * Whether the welcome page opens by itself. What is loaded for a time is gone when Firefox ends, so it would open each
 * day; and so the benchmark and tests load it, in a fresh profile for each load of a page.
 */
export function greets({ reason, temporary }: Installed): boolean {
  return reason === 'install' && temporary !== true;
}
