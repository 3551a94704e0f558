import { existsSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import { FILE_MODE, jsonText, readIfPresent } from '../files.ts';
import { memoryPath } from '../memory/memoryStore.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import { isOurs } from './manifest.ts';
import type { Options } from './options.ts';
import { ownPolicyFiles } from './policy.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { remove, removeDirectories, write, type Step } from './steps.ts';
import { distinctTargets, targetsToInspect, type Target } from './targets.ts';
import { planUntrustIfTrusted } from './untrust.ts';

export interface UninstallPlan {
  readonly removed: readonly Target[];
  /** Manifests of our name that start another program: left alone. */
  readonly foreign: readonly Target[];
  readonly steps: readonly Step[];
}

/**
 * What is to be removed: the manifests that start our launcher, and with the last of them the launcher, whatever else `install` made, and what the
 * helper keeps for the user: his authority with the browsers' trust in it, and what was learnt.
 *
 * @throws FirstscreenError E_INSTALL when the receipt can not be read, E_CERTUTIL when browsers may trust an authority and nothing is there to change that
 */
export function planUninstall(options: Options, machine: Machine): UninstallPlan {
  const layout = layoutOf(options.scope, machine);
  const receipt = readReceipt(layout.receipt);
  const everywhere = distinctTargets([...targetsToInspect({ scope: options.scope, browsers: [], userDataDir: null }, machine), ...(receipt?.manifests ?? [])]);
  const isRestricted = options.browsers.length > 0 || options.userDataDir !== null;
  const chosen = isRestricted ? targetsToInspect(options, machine) : everywhere;
  const removed = chosen.filter((target) => ownership(target, layout) === 'ours');
  const foreign = chosen.filter((target) => ownership(target, layout) === 'foreign');
  const policies = options.scope === 'system' ? ownPolicyFiles(machine, receipt) : [];
  const removedPolicies = policies.filter(({ browser }) => options.browsers.length === 0 || options.browsers.includes(browser));
  const remainingPolicies = policies.filter((entry) => !removedPolicies.includes(entry));
  const remaining = everywhere.filter((target) => ownership(target, layout) === 'ours' && removed.every(({ manifest }) => manifest !== target.manifest));
  // a policy goes first: without it the browser takes the extension away, whatever becomes of the rest
  const removeManifests = [...removedPolicies.map(({ file }) => file), ...removed.map(({ manifest }) => manifest)].map(remove);
  if (remaining.length + remainingPolicies.length > 0) {
    const kept = receipt && { ...receipt, manifests: remaining, policy: receipt.policy && { ...receipt.policy, files: remainingPolicies } };
    return { removed, foreign, steps: [...removeManifests, ...(removeManifests.length === 0 ? [] : shrink(layout, kept))] };
  }
  const rest = [...removeManifests, ...removeRest(layout, receipt)];
  return { removed, foreign, steps: options.scope === 'user' ? removeOfUser(rest, machine) : rest };
}

/** Beside what `install` made, what belongs to the user whom the helper has served. */
function removeOfUser(rest: readonly Step[], machine: Machine): Step[] {
  const untrust = planUntrustIfTrusted(machine);
  // trust goes first: when it can not be taken back, the helper is still there to try again
  return [...untrust.steps, ...rest, ...removeMemory(machine), ...untrust.directories];
}

/** Everything beside the manifests. */
function removeRest(layout: Layout, receipt: Receipt | null): Step[] {
  const files = [layout.launcher, layout.bundle, layout.crx, layout.updateList, layout.extensionKey, layout.receipt].filter((path) => existsSync(path));
  // the directory may have been there before, made by `trust`
  const directories = [...new Set([...(files.length === 0 ? [] : [layout.directory]), ...(receipt?.directories ?? [])])];
  return [...files.map(remove), ...removeDirectories(directories)];
}

/** What the helper has learnt of the user's pages. */
function removeMemory(machine: Machine): Step[] {
  const path = memoryPath(machine);
  return existsSync(path) ? [remove(path), ...removeDirectories([dirname(path)])] : [];
}

/** Other browsers still use the launcher: only directories that nothing is in any more go. @param kept the receipt of what stays */
function shrink(layout: Layout, kept: Receipt | null): Step[] {
  if (kept === null) return [];
  const inUse = [layout.launcher, ...kept.manifests.map(({ manifest }) => manifest), ...(kept.policy?.files ?? []).map(({ file }) => file)];
  const isInUse = (directory: string): boolean => inUse.some((path) => path.startsWith(directory + sep));
  const orphaned = kept.directories.filter((directory) => !isInUse(directory));
  return [write(layout.receipt, jsonText({ ...kept, directories: kept.directories.filter(isInUse) }), FILE_MODE), ...removeDirectories(orphaned)];
}

function ownership({ manifest }: Target, { launcher }: Layout): 'absent' | 'ours' | 'foreign' {
  const text = readIfPresent(manifest);
  if (text === null) return 'absent';
  return isOurs(text, launcher) ? 'ours' : 'foreign';
}
