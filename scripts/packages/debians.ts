import { join } from 'node:path';
import { run } from './ended.ts';

/** Those that the package of the helper is for. */
export const SUITES = ['bookworm', 'trixie'] as const;
/** What a machine has that one rents, without the kernel. */
export const SERVER = ['systemd', 'systemd-sysv', 'dbus', 'libpam-systemd', 'openssh-server', 'polkitd', 'sudo'] as const;

/** @param suite as in "bookworm" @param packages beside those that every Debian has @returns the folder of one that is made once, and only copied */
export async function makeDebian(suite: string, packages: readonly string[] = []): Promise<string> {
  const { stdout } = await run('sh', [join(import.meta.dirname, 'make-debian.sh'), suite, ...packages], { maxBuffer: Infinity });
  return stdout.trim();
}
