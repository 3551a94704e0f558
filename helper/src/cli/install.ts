import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { HELPER_VERSION } from '../version.ts';
import { familyOf } from './browsers.ts';
import { FILE_MODE, jsonText, missingDirectories, readIfPresent } from '../files.ts';
import { launcherText } from './launcher.ts';
import { layoutOf, type Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import { isOurs, manifestText } from './manifest.ts';
import type { Options } from './options.ts';
import { managedExtensionIds, planPolicy } from './policy.ts';
import { checkNode, isSource, type Program } from './program.ts';
import { readReceipt, type Receipt } from './receipt.ts';
import { makeDirectory, writeUnlessSame, type Step } from './steps.ts';
import { targetsToInstall, type Target } from './targets.ts';

export interface InstallPlan {
  readonly targets: readonly Target[];
  readonly steps: readonly Step[];
  /** What is left to do for an administrator. */
  readonly byHand: readonly string[];
}

const EXECUTABLE_MODE = 0o755;

/**
 * What is left to do so that the browsers find the helper; no steps when all is done already.
 *
 * The receipt is written before the manifests that it names: after a crash it names too much, which `uninstall` forgives, never too little.
 *
 * @throws FirstscreenError E_INSTALL, E_OPTION, E_PLATFORM; with `policy` also E_NOT_ROOT and E_POLICY
 */
export function planInstall(options: Options, machine: Machine, program: Program): InstallPlan {
  checkNode(program);
  const layout = layoutOf(options.scope, machine);
  const targets = targetsToInstall(options, machine);
  for (const target of targets) refuseForeign(target, layout);
  const policy = options.policy ? planPolicy(options, machine, program) : null;
  const ownDirectories = missingDirectories(layout.directory);
  const browserDirectories = [...new Set([...targets.map(({ manifest }) => manifest), ...(policy?.receipt.files ?? []).map(({ file }) => file)].flatMap((path) => missingDirectories(dirname(path))))].filter((path) => !ownDirectories.includes(path));
  const installed = isSource(program) ? program.entry : layout.bundle;
  const receipt = extendReceipt(readReceipt(layout.receipt), {
    format: 1,
    version: HELPER_VERSION,
    nodePath: program.nodePath,
    program: installed,
    manifests: [...targets],
    extensionIds: [...new Set([...options.extensionIds, ...(policy === null ? managedExtensionIds(machine) : [policy.receipt.extensionId])])],
    policy: policy?.receipt ?? null,
    directories: [...ownDirectories, ...browserDirectories],
  });
  const make = (path: string): Step => makeDirectory(path, layout.directoryMode);
  return {
    targets,
    steps: [
      ...ownDirectories.map(make),
      ...(isSource(program) ? [] : writeUnlessSame(layout.bundle, readFileSync(program.entry, 'utf8'), FILE_MODE)),
      ...writeUnlessSame(layout.launcher, launcherText(program.nodePath, installed, receipt.extensionIds), EXECUTABLE_MODE),
      ...(policy?.ownSteps ?? []),
      ...writeUnlessSame(layout.receipt, jsonText(receipt), FILE_MODE),
      ...browserDirectories.map(make),
      ...targets.flatMap(({ browser, manifest }) => writeUnlessSame(manifest, manifestText(familyOf(browser), layout.launcher, receipt.extensionIds), FILE_MODE)),
      // last: the browser may follow it at once
      ...(policy?.policySteps ?? []),
    ],
    byHand: policy?.byHand ?? [],
  };
}

function refuseForeign({ manifest }: Target, { launcher }: Layout): void {
  const text = readIfPresent(manifest);
  if (text === null || isOurs(text, launcher)) return;
  throw new FirstscreenError('E_INSTALL', `${manifest} is there already and starts another program than ${launcher}.`, 'Remove it if you do not need it (it may come from another installation of Firstscreen), then install again.');
}

/** The new receipt with what earlier runs made: their manifests still need the launcher, their directories are still ours. */
function extendReceipt(earlier: Receipt | null, receipt: Receipt): Receipt {
  if (earlier === null) return receipt;
  const isNew = ({ manifest }: Target): boolean => earlier.manifests.every((known) => known.manifest !== manifest);
  return {
    ...receipt,
    manifests: [...earlier.manifests, ...receipt.manifests.filter(isNew)],
    policy: mergePolicy(earlier.policy, receipt.policy),
    extensionIds: [...new Set([...earlier.extensionIds, ...receipt.extensionIds])],
    directories: [...new Set([...earlier.directories, ...receipt.directories])],
  };
}

function mergePolicy(earlier: Receipt['policy'], later: Receipt['policy']): Receipt['policy'] {
  if (earlier === null || later === null) return later ?? earlier;
  return { ...later, files: [...later.files, ...earlier.files.filter(({ file }) => later.files.every((known) => known.file !== file))] };
}
