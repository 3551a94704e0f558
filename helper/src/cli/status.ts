import { familyOf, titleOf } from './browsers.ts';
import { isExecutable, isFile, readIfPresent } from '../files.ts';
import { layoutOf } from './layout.ts';
import type { Machine } from './machine.ts';
import { isOurs, manifestFaults, parseManifest } from './manifest.ts';
import type { Options } from './options.ts';
import { readReceipt } from './receipt.ts';
import { distinctTargets, targetsToInspect, type Target } from './targets.ts';
import { readTrustStatus, trustStatusText, type TrustStatus } from './trustStatus.ts';

/** `foreign`: starts another program. `faulty`: ours, but the browser will not take it. */
export type ManifestState = 'absent' | 'installed' | 'faulty' | 'foreign';

export interface ManifestStatus extends Target {
  readonly state: ManifestState;
  /** Why it is faulty, in words. */
  readonly faults: readonly string[];
}

export interface Status {
  /** Of the installed helper; null when none is installed. */
  readonly version: string | null;
  readonly directory: string;
  readonly launcher: PathStatus;
  /** What the launcher runs, and with what. */
  readonly program: PathStatus | null;
  readonly node: PathStatus | null;
  readonly manifests: readonly ManifestStatus[];
  /** The user's; null for an installation for all users, which has none. */
  readonly trust: TrustStatus | null;
}

export interface PathStatus {
  readonly path: string;
  readonly valid: boolean;
}

/** What is installed where. @throws FirstscreenError E_INSTALL when the receipt can not be read */
export function readStatus(options: Options, machine: Machine): Status {
  const layout = layoutOf(options.scope, machine);
  const receipt = readReceipt(layout.receipt);
  const isRestricted = options.browsers.length > 0 || options.userDataDir !== null;
  const targets = [...targetsToInspect(options, machine), ...(isRestricted ? [] : (receipt?.manifests ?? []))];
  return {
    version: receipt?.version ?? null,
    directory: layout.directory,
    launcher: { path: layout.launcher, valid: isExecutable(layout.launcher) },
    program: receipt && { path: receipt.program, valid: isFile(receipt.program) },
    node: receipt && { path: receipt.nodePath, valid: isExecutable(receipt.nodePath) },
    manifests: distinctTargets(targets).map((target) => manifestStatus(target, layout.launcher, receipt?.extensionIds ?? [])),
    trust: options.scope === 'user' ? readTrustStatus(machine, new Date()) : null,
  };
}

function manifestStatus(target: Target, launcher: string, extensionIds: readonly string[]): ManifestStatus {
  const text = readIfPresent(target.manifest);
  if (text === null) return { ...target, state: 'absent', faults: [] };
  const manifest = parseManifest(text);
  if (manifest === null) return { ...target, state: 'faulty', faults: ['it is not a native messaging manifest in JSON'] };
  if (!isOurs(text, launcher)) return { ...target, state: 'foreign', faults: [] };
  const faults = manifestFaults(manifest, familyOf(target.browser), launcher, extensionIds);
  return { ...target, state: faults.length === 0 ? 'installed' : 'faulty', faults };
}

export function statusText(status: Status): string {
  const path = (name: string, value: PathStatus | null): string[] => (value === null ? [] : [`${name.padEnd(10)}${value.path}${value.valid ? '' : '  (missing or not executable)'}`]);
  return [
    status.version === null ? 'The helper is not installed.' : `Helper ${status.version} is installed in ${status.directory}.`,
    ...(status.version === null ? [] : [...path('launcher', status.launcher), ...path('program', status.program), ...path('node', status.node)]),
    ...status.manifests
      .filter(({ state }) => state !== 'absent')
      .map(({ browser, manifest, state, faults }) => `${titleOf(browser).padEnd(10)}${state.padEnd(10)}${manifest}${faults.length === 0 ? '' : ` (${faults.join('; ')})`}`),
    ...(status.manifests.every(({ state }) => state === 'absent') ? ['No browser has been told about it.'] : []),
    ...(status.trust === null ? [] : trustStatusText(status.trust)),
  ].join('\n');
}
