import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { misfitOf } from '../../../shared/src/protocol/releaseFit.ts';
import { isFile } from '../files.ts';
import { HELPER_VERSION } from '../version.ts';
import { BROWSERS } from './browsers.ts';
import { fail, pass, warn, type Check } from '../../../shared/src/check.ts';
import { checkExtensions } from './extensionVersions.ts';
import { commandFiles, launcherFile, manifestFiles, type InstalledFile } from './installedFiles.ts';
import { layoutOf, type Layout, type Place, type Scope } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { POLICY_NAME, policyFaults, policyFiles } from './policy.ts';
import { MIN_NODE_MAJOR, isNodeRecentEnough } from './program.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { checkSandboxes } from './sandboxes.ts';
import { isWritten } from './steps.ts';
import { checkTrust } from './trustCheck.ts';

export const INSTALL_AGAIN = 'Run "firstscreen-helper install".';
const POLICY_AGAIN = 'Run "sudo firstscreen-helper install --policy".';
/** What mends each installation: another one beside it would not. */
const AGAIN: Readonly<Record<Place, string>> = { user: INSTALL_AGAIN, system: 'Run "sudo firstscreen-helper install --system".', package: 'Run "sudo apt-get install --reinstall firstscreen".' };

interface Installation {
  readonly place: Place;
  readonly layout: Layout;
  readonly receipt: Receipt;
}

/** What is installed, and how each part of it stands. */
export interface Status {
  /** Null when nothing is installed, or nobody can tell. */
  readonly installation: Installation | null;
  readonly checks: readonly Check[];
}

export function readStatus({ scope }: Pick<Options, 'scope'>, machine: Machine): Status {
  const trust = scope === 'user' ? checkTrust(machine, new Date()) : [];
  let found: Installation | null;
  let systemReceipt: Receipt | null;
  try {
    found = findInstallation(scope, machine);
    systemReceipt = readReceipt(layoutOf('system', machine).receipt);
  } catch (error) {
    if (!(error instanceof FirstscreenError)) throw error;
    return { installation: null, checks: [fail('installation', error.message, error.next)] };
  }
  if (found === null) return { installation: null, checks: [fail('installation', `nothing is installed in ${layoutOf(scope, machine).directory}`, AGAIN[scope]), ...checkSandboxes(machine), ...trust] };
  const { place, layout, receipt } = found;
  const again = receipt.policy === null ? AGAIN[place] : POLICY_AGAIN;
  const checks = [
    receipt.version === HELPER_VERSION ? pass('version', receipt.version) : warn('version', `${receipt.version} is installed, this is ${HELPER_VERSION}`, again),
    ...checkNode(receipt, again),
    isFile(receipt.program) ? pass('program', receipt.program) : fail('program', `${receipt.program} is missing`, again),
    ...[launcherFile(receipt, layout), ...commandFiles(receipt), ...manifestFiles(receipt, layout)].map((file) => checkFile(file, again)),
    ...checkPolicy(systemReceipt, receipt, machine),
    ...(scope === 'user' ? checkExtensions(receipt.extensionIds, machine) : []),
    ...checkSandboxes(machine),
    ...trust,
  ];
  return { installation: found, checks };
}

/** Where a user looks first: on a machine that is installed for all he needs nothing of his own. */
const PLACES: Readonly<Record<Scope, readonly Place[]>> = { user: ['user', 'system', 'package'], system: ['system', 'package'] };

/** @throws FirstscreenError E_INSTALL when a receipt can not be read */
function findInstallation(scope: Scope, machine: Machine): Installation | null {
  for (const place of PLACES[scope]) {
    const layout = layoutOf(place, machine);
    const receipt = readReceipt(layout.receipt);
    if (receipt !== null) return { place, layout, receipt };
  }
  return null;
}

/** Nothing to look at where the program has Node inside. */
function checkNode({ nodePath }: Receipt, again: string): Check[] {
  if (nodePath === null) return [];
  const next = `${again} Use Node ${MIN_NODE_MAJOR} or later for that.`;
  try {
    const version = execFileSync(nodePath, ['--version'], { encoding: 'utf8', timeout: NODE_LIMIT_MS }).trim();
    return [isNodeRecentEnough(version) ? pass('node', `${nodePath} is ${version}`) : fail('node', `${nodePath} is ${version}`, next)];
  } catch {
    return [fail('node', `${nodePath} does not run`, next)];
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
    ...(misfitOf({ extension: version, helper: HELPER_VERSION }) === null ? [] : [warn(POLICY_NAME, `it is ${version}, the helper ${HELPER_VERSION}`, POLICY_AGAIN)]),
  ];
}
