import { existsSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { FILE_MODE, jsonText, leftoversOf, namesIn, tracesOf } from '../files.ts';
import { memoryPath } from '../memory/memoryStore.ts';
import { networkFiles } from '../networks/networkStore.ts';
import { bodiesPath } from '../relay/bodyStore.ts';
import { relayConfigPath } from '../relay/relayConfig.ts';
import { spoolPath } from '../spool/spoolFile.ts';
import { trustDirectory } from '../trust/authority.ts';
import { findCertutil } from '../trust/certutil.ts';
import { commandFiles, manifestFiles } from './installedFiles.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { ownPolicyFiles } from './policy.ts';
import { distinct, readReceipt, type Receipt } from './receipt.ts';
import { isWritten, remove, removeDirectories, write, type Plan, type Step } from './steps.ts';
import { allTargets, ownerOf, targetsToRemove, titlesOf, type Target } from './targets.ts';
import { untrustSteps } from './untrust.ts';

/**
 * What is to be removed: the manifests that start our launcher, and with the last of them the launcher, whatever else `install` made, and what the
 * helper keeps for the user: his authority with the browsers' trust in it, what was learnt, and the relay's address with the key for it.
 *
 * @throws FirstscreenError E_INSTALL when the receipt can not be read, E_NOT_ROOT, E_CERTUTIL when browsers may trust an authority and nothing is there to change that
 */
export function planUninstall(options: Options, machine: Machine): Plan<{ manifests: readonly Target[]; foreign: readonly Target[] }> {
  if (options.policy && !machine.isRoot && !options.dryRun) throw new FirstscreenError('E_NOT_ROOT', 'Policies of browsers can be removed by root alone.', 'Run: sudo firstscreen-helper uninstall --policy');
  const layout = layoutOf(options.scope, machine);
  const receipt = readReceipt(layout.receipt);
  const known = receipt?.manifests ?? [];
  const chosen = targetsToRemove(options, known, machine);
  const ours = (targets: readonly Target[]): Target[] => targets.filter((target) => ownerOf(target, layout) === 'us');
  const manifests = ours(chosen);
  const foreign = chosen.filter((target) => ownerOf(target, layout) === 'others');
  const remaining = ours(allTargets(options, known, machine)).filter(({ manifest }) => manifests.every((target) => target.manifest !== manifest));
  const policies = options.scope === 'system' ? ownPolicyFiles(machine, receipt) : [];
  const isChosen = ({ browser }: (typeof policies)[number]): boolean => options.browsers.length === 0 || options.browsers.includes(browser);
  const remainingPolicies = policies.filter((policy) => !isChosen(policy));
  // a policy goes first: without it the browser takes the extension away, whatever becomes of the rest
  const first = [...policies.filter(isChosen).map(({ file }) => remove(file)), ...manifests.flatMap(({ manifest }) => [takeBack(manifest, machine), ...leftoversOf(manifest).map(remove)])];
  const kept = receipt && { ...receipt, manifests: remaining, policy: receipt.policy && { ...receipt.policy, files: remainingPolicies } };
  const isInUse = remaining.length + remainingPolicies.length > 0;
  const steps = isInUse ? [...first, ...(first.length === 0 || kept === null ? [] : shrink(layout, kept))] : removeOfUser([...first, ...removeRest(layout, receipt)], options, machine);
  const restart = steps.some(({ action }) => action === 'removeFromStore') ? ' Its certificate authority is gone too: start the browsers anew.' : '';
  return {
    steps,
    nothing: 'Nothing of Firstscreen was installed there.',
    done: (manifests.length === 0 ? 'Removed.' : `Removed from ${titlesOf(manifests)}.`) + restart,
    notes: [...foreign.map(({ manifest }) => `Left alone, because it starts another program or can not be read: ${manifest}`), ...(options.scope === 'system' ? [LEFT_TO_USERS] : [])],
    report: { manifests, foreign },
  };
}

/** Of a helper for all users; the command needs one, if only that of a release's file. */
const LEFT_TO_USERS = 'Left alone, as they belong to each user: what the helper has remembered of pages, and the authority of "trust". Who wants both gone runs, with any helper that is there: firstscreen-helper uninstall';

/** A manifest that the Debian package had brought is again as it was. */
function takeBack(manifest: string, machine: Machine): Step {
  const layout = layoutOf('package', machine);
  const receipt = readReceipt(layout.receipt);
  const original = receipt && manifestFiles(receipt, layout).find(({ path }) => path === manifest);
  return original ? write(original) : remove(manifest);
}

/** With what belongs to the user whom the helper has served. */
function removeOfUser(rest: readonly Step[], { scope }: Options, machine: Machine): readonly Step[] {
  if (scope === 'system') return rest;
  // nothing of all that is needed where `trust` was never run
  const mayBeTrusted = existsSync(trustDirectory(machine)) || findCertutil(machine.env) !== null;
  const untrust = mayBeTrusted ? untrustSteps(machine) : { steps: [], directories: [] };
  const memory = memoryPath(machine);
  const bodies = bodiesPath(memory);
  const spool = spoolPath(machine);
  const learnt = [...tracesOf(memory), ...networkFiles(dirname(memory)), ...[bodies, spool].flatMap((directory) => namesIn(directory).map((name) => join(directory, name)))];
  const forget = [...learnt.map(remove), ...removeDirectories([bodies, dirname(memory), spool, dirname(spool)].filter((path) => existsSync(path)))];
  const relay = tracesOf(relayConfigPath(machine));
  const leaveRelay = [...relay.map(remove), ...removeDirectories(distinct(relay.map((path) => dirname(path))))];
  // trust goes first: when it can not be taken back, the helper is still there to try again
  return [...untrust.steps, ...rest, ...forget, ...leaveRelay, ...untrust.directories];
}

/** Everything beside the manifests. */
function removeRest(layout: Layout, receipt: Receipt | null): Step[] {
  // one that somebody has changed is his
  const commands = receipt === null ? [] : commandFiles(receipt).filter(isWritten).map(({ path }) => path);
  const files = [...commands, layout.launcher, layout.bundle, layout.executable, layout.crx, layout.updateList, layout.extensionKey, layout.receipt].flatMap(tracesOf);
  // the directory may have been there before, made by `trust`
  const directories = [...(files.length === 0 ? [] : [layout.directory]), ...(receipt?.directories ?? [])];
  return [...files.map(remove), ...removeDirectories(distinct(directories))];
}

/** Other browsers still use the launcher: only directories that nothing is in any more go. @param kept the receipt of what stays */
function shrink(layout: Layout, kept: Receipt): Step[] {
  const inUse = [layout.launcher, ...(kept.command === null ? [] : [kept.command]), ...kept.manifests.map(({ manifest }) => manifest), ...(kept.policy?.files ?? []).map(({ file }) => file)];
  const isInUse = (directory: string): boolean => inUse.some((path) => path.startsWith(directory + sep));
  const orphaned = kept.directories.filter((directory) => !isInUse(directory));
  return [write({ path: layout.receipt, content: jsonText({ ...kept, directories: kept.directories.filter(isInUse) }), mode: FILE_MODE }), ...removeDirectories(orphaned)];
}
