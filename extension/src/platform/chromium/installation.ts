import type { Installed, InstallationKind } from '../installation.ts';

export const INSTALLATION: InstallationKind = 'store';

/** Whether the welcome page opens by itself. */
export function greets({ reason }: Installed): boolean {
  return reason === 'install';
}
