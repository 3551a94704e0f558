import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { FILE_MODE, isExecutable, jsonText, missingDirectories } from '../files.ts';
import { programDirectories } from '../userDirectories.ts';
import { HELPER_VERSION } from '../version.ts';
import { EXECUTABLE_MODE, commandFiles, launcherFile, manifestFiles } from './installedFiles.ts';
import { COMMAND_NAME, invocationOf } from './invocation.ts';
import { layoutOf } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { refuseForAnother } from './ownHome.ts';
import { managedExtensionIds, planPolicy, policyFiles } from './policy.ts';
import { checkNode, copyOf, isOfPackage, type Program } from './program.ts';
import { distinct, readReceipt, type Receipt } from './receipt.ts';
import { sandboxNotes } from './sandboxes.ts';
import { isWritten, makeDirectory, remove, writeUnlessSame, type Plan, type Step } from './steps.ts';
import { ownerOf, targetsToInstall, titlesOf, type Target } from './targets.ts';

/**
 * What is left to do so that the browsers find the helper; no steps when all is done already.
 *
 * The receipt is written before the manifests that it names: after a crash it names too much, which `uninstall` forgives, never too little.
 *
 * @throws FirstscreenError E_INSTALL, E_OPTION, E_PLATFORM; with `policy` also E_NOT_ROOT and E_POLICY
 */
export function planInstall(options: Options, machine: Machine, program: Program): InstallPlan {
  checkNode(program);
  if (options.scope === 'user') refuseForAnother(machine, 'E_INSTALL', 'An installation without --system');
  const layout = layoutOf(options.scope, machine);
  const earlier = readReceipt(layout.receipt);
  const ofPackage = isOfPackage(program, machine) ? (readReceipt(layoutOf('package', machine).receipt)?.manifests ?? []) : [];
  if (ofPackage.length > 0 && options.scope === 'system' && !options.policy) return nothingToDo(ofPackage, machine);
  // whoever has manifests of his own already goes on with them: a browser takes his before those of all users
  const served = options.policy || earlier !== null ? [] : ofPackage.map(({ browser }) => browser);
  // what earlier runs made is brought up to date too; what somebody has removed or changed since is forgotten
  const kept = (earlier?.manifests ?? []).filter((target) => ownerOf(target, layout) === 'us');
  const targets = targetsToInstall(options, served, kept, machine);
  const manifests = distinct([...kept, ...targets], ({ manifest }) => manifest);
  if (manifests.length === 0 && !options.policy) return nothingToDo(ofPackage, machine);
  const foreign = targets.find((target) => ownerOf(target, layout) === 'others' && !ofPackage.some(({ manifest }) => manifest === target.manifest));
  if (foreign !== undefined) throw new FirstscreenError('E_INSTALL', `${foreign.manifest} is there already and starts another program than ${layout.launcher}, or can not be read.`, 'Remove it if you do not need it (it may come from another installation of Firstscreen), then install again.');
  const policy = options.policy ? planPolicy(options, machine, program, earlier) : null;
  const ownDirectories = missingDirectories(layout.directory);
  const inBrowsers = [...targets.map(({ manifest }) => manifest), ...(policy?.receipt.files ?? []).map(({ file }) => file)];
  const browserDirectories = distinct(inBrowsers.flatMap((path) => missingDirectories(dirname(path)))).filter((path) => !ownDirectories.includes(path));
  const copy = copyOf(program, layout, machine);
  const command = ownCommand(earlier, machine) ?? commandPath(options, machine, program);
  const commandDirectories = command === null ? [] : missingDirectories(dirname(command));
  const receipt = extendReceipt(earlier, {
    format: 1,
    version: HELPER_VERSION,
    nodePath: program.nodePath,
    program: copy ?? program.entry,
    command,
    manifests,
    extensionIds: [...options.extensionIds, ...(policy === null ? managedExtensionIds(machine) : [policy.receipt.extensionId])],
    policy: policy?.receipt ?? null,
    directories: distinct([...ownDirectories, ...commandDirectories, ...browserDirectories]),
  });
  const make = (path: string): Step => makeDirectory(path, layout.directoryMode);
  const byHand = policy?.byHand ?? [];
  return {
    steps: [
      ...ownDirectories.map(make),
      ...(copy === null ? [] : writeUnlessSame({ path: copy, content: readFileSync(program.entry), mode: program.nodePath === null ? EXECUTABLE_MODE : FILE_MODE })),
      ...writeUnlessSame(launcherFile(receipt, layout)),
      ...(policy?.packageSteps ?? []),
      ...writeUnlessSame({ path: layout.receipt, content: jsonText(receipt), mode: FILE_MODE }),
      ...commandDirectories.map((path) => makeDirectory(path, BIN_MODE)),
      ...commandFiles(receipt).flatMap(writeUnlessSame),
      ...browserDirectories.map(make),
      ...manifestFiles(receipt, layout).flatMap(writeUnlessSame),
      // last: the browser may follow it at once
      ...(policy === null ? [] : policyFiles(policy.receipt, machine).flatMap(writeUnlessSame)),
      // of an earlier installation in another form, which nothing names any more
      ...[layout.bundle, layout.executable].filter((path) => path !== copy && existsSync(path)).map(remove),
    ],
    nothing: `Already installed for ${titlesOf(manifests)}.`,
    done: `Installed for ${titlesOf(manifests)}. Restart nothing: the extension finds the helper when it next needs it.${policy === null ? '' : ' Browsers install the extension by policy at their next start; users who have run "firstscreen-helper install" before, and those of Brave, run it once more.'}`,
    notes: [...byHand, ...sandboxNotes(machine), `To look whether all is well: ${command === null ? invocationOf({ ...program, entry: receipt.program }, machine).asUser : COMMAND_NAME} doctor`],
    report: { manifests, byHand },
  };
}

/** The command of an earlier run, as that wrote it, also where the home directory has moved since; what is there else is somebody else's. */
function ownCommand(earlier: Receipt | null, { home }: Machine): string | null {
  const [file] = earlier === null ? [] : commandFiles(earlier);
  if (file === undefined) return null;
  return [file.path, join(home, OWN_BIN, COMMAND_NAME)].find((path) => isWritten({ ...file, path })) ?? null;
}

/**
 * Where the command goes: into the user's own directory of programs, if his shell looks there and finds none; null elsewhere.
 * Without it messages name the full path (`invocation.ts`).
 */
function commandPath({ scope, userDataDir }: Options, machine: Machine, program: Program): string | null {
  const directory = join(machine.home, OWN_BIN);
  const path = join(directory, COMMAND_NAME);
  const directories = programDirectories(machine.env);
  // a profile in a place of its own is a developer's
  if (scope !== 'user' || userDataDir !== null || isOfPackage(program, machine) || !directories.includes(directory)) return null;
  return existsSync(path) || directories.some((each) => isExecutable(join(each, COMMAND_NAME))) ? null : path;
}

/** As the XDG Base Directory Specification names it ("User-specific executable files"). */
const OWN_BIN = '.local/bin';
const BIN_MODE = 0o755;

type InstallPlan = Plan<{ manifests: readonly Target[]; byHand: readonly string[] }>;

/** The package's own manifests are enough. */
function nothingToDo(manifests: readonly Target[], machine: Machine): InstallPlan {
  return {
    steps: [],
    nothing: `The package firstscreen has told ${titlesOf(manifests)} about the helper already, for all users.`,
    done: '',
    notes: sandboxNotes(machine),
    report: { manifests: [], byHand: [] },
  };
}

/** The new receipt with what earlier runs made: the policy and whom they let in stay, their directories are still ours. */
function extendReceipt(earlier: Receipt | null, receipt: Receipt): Receipt {
  return {
    ...receipt,
    policy: receipt.policy ?? earlier?.policy ?? null,
    extensionIds: distinct([...(earlier?.extensionIds ?? []), ...receipt.extensionIds]),
    directories: distinct([...(earlier?.directories ?? []), ...receipt.directories]),
  };
}
