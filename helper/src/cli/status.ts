import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { isFile } from '../files.ts';
import { HELPER_VERSION } from '../version.ts';
import { BROWSERS } from './browsers.ts';
import { fail, pass, warn, type Check } from './check.ts';
import { launcherFile, manifestFiles, type InstalledFile } from './installedFiles.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { POLICY_NAME, policyFaults, policyFiles } from './policy.ts';
import { MIN_NODE_MAJOR, isNodeRecentEnough } from './program.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { isWritten } from './steps.ts';
import { checkTrust } from './trustCheck.ts';

export const INSTALL_AGAIN = 'Run "firstscreen-helper install".';
const POLICY_AGAIN = 'Run "sudo firstscreen-helper install --policy".';

/** What is installed, and how each part of it stands. */
export interface Status {
  /** Null when nothing is installed, or nobody can tell. */
  readonly installation: { readonly layout: Layout; readonly receipt: Receipt } | null;
  readonly checks: readonly Check[];
}

export function readStatus({ scope }: Pick<Options, 'scope'>, machine: Machine): Status {
  const layout = layoutOf(scope, machine);
  let receipt: Receipt | null;
  let systemReceipt: Receipt | null;
  try {
    receipt = readReceipt(layout.receipt);
    systemReceipt = readReceipt(layoutOf('system', machine).receipt);
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    return { installation: null, checks: [fail('installation', error.message, error.next)] };
  }
  const trust = scope === 'user' ? checkTrust(machine, new Date()) : [];
  // on a machine that is installed for all, a user needs nothing of his own but what he trusts
  if (receipt === null && systemReceipt !== null) {
    const ofAll = readStatus({ scope: 'system' }, machine);
    return { ...ofAll, checks: [...ofAll.checks, ...trust] };
  }
  if (receipt === null) return { installation: null, checks: [fail('installation', `nothing is installed in ${layout.directory}`, INSTALL_AGAIN), ...trust] };
  const checks = [
    receipt.version === HELPER_VERSION ? pass('version', receipt.version) : warn('version', `${receipt.version} is installed, this is ${HELPER_VERSION}`, INSTALL_AGAIN),
    checkNode(receipt),
    isFile(receipt.program) ? pass('program', receipt.program) : fail('program', `${receipt.program} is missing`, INSTALL_AGAIN),
    ...[launcherFile(receipt, layout), ...manifestFiles(receipt, layout)].map((file) => checkFile(file, INSTALL_AGAIN)),
    ...checkPolicy(systemReceipt, receipt, machine),
    ...checkSandboxes(machine),
    ...trust,
  ];
  return { installation: { layout, receipt }, checks };
}

function checkNode({ nodePath }: Receipt): Check {
  const next = `Run "firstscreen-helper install" with Node ${MIN_NODE_MAJOR} or later.`;
  try {
    const version = execFileSync(nodePath, ['--version'], { encoding: 'utf8', timeout: NODE_LIMIT_MS }).trim();
    return isNodeRecentEnough(version) ? pass('node', `${nodePath} is ${version}`) : fail('node', `${nodePath} is ${version}`, next);
  } catch {
    return fail('node', `${nodePath} does not run`, next);
  }
}

const NODE_LIMIT_MS = 5000;

function checkFile(file: InstalledFile, next: string): Check {
  const { name, path } = file;
  if (isWritten(file)) return pass(name, path);
  return fail(name, `${path} is ${existsSync(path) ? 'not as install wrote it' : 'missing'}`, next);
}

/** Whether browsers under our policy find what it names, and get at the helper. */
function checkPolicy(systemReceipt: Receipt | null, { extensionIds, manifests }: Receipt, machine: Machine): Check[] {
  const policy = systemReceipt?.policy ?? null;
  if (policy === null) return [];
  const { extensionId, version, files } = policy;
  const lonely = files.filter(({ browser }) => manifests.every((known) => known.browser !== browser));
  return [
    ...policyFiles(policy, machine).map((file) => checkFile(file, POLICY_AGAIN)),
    ...policyFaults(policy, machine, POLICY_AGAIN).map(({ fault, next }) => fail(POLICY_NAME, fault, next)),
    ...(extensionIds.includes(extensionId) ? [] : [fail(POLICY_NAME, `the helper does not let ${extensionId} in: it was installed before`, INSTALL_AGAIN)]),
    ...lonely.map(({ browser }) => warn(POLICY_NAME, `${BROWSERS[browser].title} has it, but has not been told about the helper`, `Run "firstscreen-helper install --browser ${browser}" as each of its users.`)),
    ...(version === HELPER_VERSION ? [] : [warn(POLICY_NAME, `it is ${version}, the helper ${HELPER_VERSION}`, POLICY_AGAIN)]),
  ];
}

/** Browsers that see neither our files nor other programs (Snap and Flatpak), by the directories that they make in a home. */
const SANDBOXED = [
  ['snap/chromium', 'Chromium from Snap'],
  ['.var/app/org.chromium.Chromium', 'Chromium from Flatpak'],
  ['.var/app/com.google.Chrome', 'Chrome from Flatpak'],
  ['.var/app/com.brave.Browser', 'Brave from Flatpak'],
  ['.var/app/com.microsoft.Edge', 'Edge from Flatpak'],
] as const;

function checkSandboxes({ home }: Machine): Check[] {
  const found = SANDBOXED.filter(([directory]) => existsSync(join(home, directory)));
  return found.map(([, title]) => warn('sandbox', `${title} can not start the helper`, "Use the extension alone there, or the browser from its maker's or the distribution's package."));
}
