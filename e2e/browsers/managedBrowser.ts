import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { CHROMIUM, HELPER } from './executables.ts';
import { launchChromium } from './chromium.ts';
import { extensionReady } from './extension.ts';

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
 * Installs an extension by policy with the helper's own command. The policy is seen by browsers started with the returned executable alone: the directories are mounted in their
 * own mount namespace, so it needs root, or root of a user namespace. The helper is not left there: each test has one of its own, or none.
 *
 * @param dir an empty directory for all of it
 */
export async function createManagedBrowser(extensionDir: string, dir: string): Promise<ManagedBrowser> {
  const { run, etc } = await installByPolicy(extensionDir, dir);
  await rm(join(etc, 'native-messaging-hosts'), { recursive: true });
  const { ExtensionSettings } = JSON.parse(await readFile(join(etc, 'policies/managed/firstscreen.json'), 'utf8')) as { ExtensionSettings: object };
  const executable = await writeScript(join(dir, 'chromium-managed'), `exec '${run}' '${CHROMIUM}' "$@"`);
  const browser = { extensionId: Object.keys(ExtensionSettings)[0] ?? '', executable, profileDir: join(dir, 'profile') };
  await install(browser);
  return browser;
}

/** A part of a machine: system directories of its own. */
export interface PolicyMachine {
  /** Runs a command there. */
  readonly run: string;
  /** The helper's program, delivered with the extension. */
  readonly helperMain: string;
  /** Chromium's directory of system settings there, from outside. */
  readonly etc: string;
}

/** `firstscreen-helper install --policy` on a machine of its own, as an administrator does it. */
export async function installByPolicy(extensionDir: string, dir: string): Promise<PolicyMachine> {
  const [etc, lib, dist] = [join(dir, 'etc'), join(dir, 'lib'), join(dir, 'dist')];
  await cp(POLICY_DIR, etc, { recursive: true });
  await mkdir(lib, { recursive: true });
  await mkdir(join(etc, 'policies/managed'), { recursive: true });
  const helperMain = join(dist, 'helper/firstscreen-helper.mjs');
  await cp(HELPER, helperMain);
  await cp(extensionDir, join(dist, 'extension/managed'), { recursive: true });
  const unshare = process.getuid?.() === 0 ? 'unshare -m' : 'unshare -rm';
  const run = await writeScript(join(dir, 'run'), `exec ${unshare} sh -c 'mount --bind "${etc}" ${POLICY_DIR} && mount --bind "${lib}" /usr/local/lib && exec "$@"' sh "$@"`);
  await writeFile(join(etc, 'policies/managed/test.json'), JSON.stringify({ DeveloperToolsAvailability: DEVTOOLS_FOR_ALL }));
  await promisify(execFile)(run, [process.execPath, helperMain, 'install', '--policy', '--browser', 'chromium']);
  return { run, helperMain, etc };
}

async function writeScript(path: string, command: string): Promise<string> {
  await writeFile(path, `#!/bin/sh\n${command}\n`, { mode: 0o755 });
  return path;
}

/** Starts the browser, as root of some namespace, until the policy has installed the extension in the profile. */
async function install(browser: ManagedBrowser): Promise<void> {
  const { executable, profileDir } = browser;
  const running = await launchChromium(executable, {
    userDataDir: profileDir, viewport: { width: 800, height: 600 }, caSpki: '', asRoot: true, hasExtension: true, backgroundNetworking: true,
  });
  try {
    if (!(await extensionReady(running.context))) throw new Error('Chromium did not install the extension that its policy names');
    await sleep(PREFERENCES_WRITTEN_MS);
  } finally {
    await running.close();
  }
  await forgetWorker(browser);
}

/**
 * The extension's service worker is registered in the profile that it was installed in, and in no copy: there it is
 * registered anew. Until Chromium finds that out it would drop whatever the worker is to be woken for, messages of the
 * extension's own pages and events too; of a worker that is not registered yet it lets them wait.
 */
async function forgetWorker({ extensionId, profileDir }: ManagedBrowser): Promise<void> {
  const file = join(profileDir, 'Default/Preferences');
  const preferences = JSON.parse(await readFile(file, 'utf8')) as ExtensionPreferences;
  delete preferences.extensions.settings[extensionId]?.service_worker_registration_info;
  await writeFile(file, JSON.stringify(preferences));
}

/** As Chromium names them. */
interface ExtensionPreferences {
  readonly extensions: { readonly settings: Record<string, { service_worker_registration_info?: object } | undefined> };
}

/** Gives a fresh profile the extension: to install it by policy takes seconds and the network stack. */
export async function copyInstalledExtension({ profileDir }: ManagedBrowser, userDataDir: string): Promise<void> {
  for (const part of INSTALLED) {
    await mkdir(dirname(join(userDataDir, part)), { recursive: true });
    await cp(join(profileDir, part), join(userDataDir, part), { recursive: true });
  }
}
