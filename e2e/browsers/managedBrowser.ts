import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { launchChromium } from './chromium.ts';
import { extensionReady } from './extension.ts';

const PACKER = join(import.meta.dirname, '../../scripts/pack-managed.ts');
/** Where the distribution's Chromium reads policies and first-run preferences; machine-wide, so each browser gets a view of its own. */
const POLICY_DIR = '/etc/chromium';
/** What makes an installed extension; the rest of a profile is made anew by each browser. */
const INSTALLED = ['Local State', 'Default/Preferences', 'Default/Secure Preferences', 'Default/Extensions'];
/** By default the tools may not be attached to what a policy installed, and then nobody could ask whether it is ready. */
const DEVTOOLS_FOR_ALL = 1;
/** Chromium writes its preferences a while after they changed. */
const PREFERENCES_WRITTEN_MS = 500;

/** A Chromium into which a policy installs the extension, as an administrator does it. */
export interface ManagedBrowser {
  readonly extensionId: string;
  /** Starts Chromium under the policy, with the arguments given. */
  readonly executable: string;
  /** A profile in which the extension is installed. */
  readonly profileDir: string;
}

/**
 * Packs an extension and lets a policy install it. The policy is seen by browsers started with the returned executable alone: it is mounted in their own
 * mount namespace, so it needs root, or root of a user namespace.
 *
 * @param dir an empty directory for all of it
 */
export async function createManagedBrowser(chromium: string, extensionDir: string, dir: string): Promise<ManagedBrowser> {
  const { stdout } = await promisify(execFile)(process.execPath, [PACKER, '--json', '--chromium', chromium, '--extension', extensionDir, '--out', join(dir, 'package')]);
  const { id, policyFile } = JSON.parse(stdout) as { id: string; policyFile: string };
  const etc = join(dir, 'etc');
  const policies = join(etc, 'policies/managed');
  await cp(POLICY_DIR, etc, { recursive: true });
  await mkdir(policies, { recursive: true });
  await cp(policyFile, join(policies, 'firstscreen.json'));
  await writeFile(join(policies, 'test.json'), JSON.stringify({ DeveloperToolsAvailability: DEVTOOLS_FOR_ALL }));
  const executable = join(dir, 'chromium-managed');
  const unshare = process.getuid?.() === 0 ? 'unshare -m' : 'unshare -rm';
  await writeFile(executable, `#!/bin/sh\nexec ${unshare} sh -c 'mount --bind "${etc}" ${POLICY_DIR} && exec ${chromium} "$@"' sh "$@"\n`);
  await chmod(executable, 0o755);
  const browser = { extensionId: id, executable, profileDir: join(dir, 'profile') };
  await install(browser);
  return browser;
}

/** Starts the browser, as root of some namespace, until the policy has installed the extension in the profile. */
async function install({ executable, profileDir }: ManagedBrowser): Promise<void> {
  const running = await launchChromium(executable, {
    userDataDir: profileDir, viewport: { width: 800, height: 600 }, caSpki: '', headed: false, asRoot: true, hasExtension: true, backgroundNetworking: true,
  });
  try {
    if (!(await extensionReady(running.context))) throw new Error('Chromium did not install the extension that its policy names');
    await sleep(PREFERENCES_WRITTEN_MS);
  } finally {
    await running.close();
  }
}

/** Gives a fresh profile the extension: to install it by policy takes seconds and the network stack. */
export async function copyInstalledExtension({ profileDir }: ManagedBrowser, userDataDir: string): Promise<void> {
  for (const part of INSTALLED) {
    await mkdir(dirname(join(userDataDir, part)), { recursive: true });
    await cp(join(profileDir, part), join(userDataDir, part), { recursive: true });
  }
}
