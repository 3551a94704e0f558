import { join, resolve } from 'node:path';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { NATIVE_HOST_NAME } from '../../../shared/src/protocol/native.ts';
import { BROWSER_NAMES, isPresent, systemManifestDirectory, titleOf, userManifestDirectory, type BrowserName } from './browsers.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';

/** One manifest that tells one browser about the helper. */
export interface Target {
  readonly browser: BrowserName;
  readonly manifest: string;
}

type Choice = Pick<Options, 'browsers' | 'userDataDir' | 'scope'> & Partial<Pick<Options, 'policy'>>;

/**
 * The manifests to install: those that the options name, otherwise one for each browser on this machine.
 *
 * @throws FirstscreenError E_INSTALL when there is no browser, E_OPTION when the browser has no such place
 */
export function targetsToInstall(choice: Choice, machine: Machine): Target[] {
  if (choice.userDataDir !== null || choice.browsers.length > 0) return namedTargets(choice, machine);
  const present = BROWSER_NAMES.filter((browser) => isPresent(browser, machine));
  const targets = targetsOf(present, choice, machine);
  if (targets.length > 0 || choice.policy === true) return targets;
  throw new FirstscreenError('E_INSTALL', `No browser was found that could be told about the helper (looked for ${BROWSER_NAMES.join(', ')}).`, 'Name one with --browser.');
}

/** The manifests that may be there: those that the options name, otherwise one for each browser known. */
export function targetsToInspect(choice: Choice, machine: Machine): Target[] {
  if (choice.userDataDir !== null || choice.browsers.length > 0) return namedTargets(choice, machine);
  return targetsOf(BROWSER_NAMES, choice, machine);
}

/** Each manifest once. */
export function distinctTargets(targets: readonly Target[]): Target[] {
  return [...new Map(targets.map((target) => [target.manifest, target])).values()];
}

function namedTargets(choice: Choice, machine: Machine): Target[] {
  if (choice.userDataDir !== null) {
    return [{ browser: choice.browsers[0] ?? 'chromium', manifest: manifestIn(join(resolve(choice.userDataDir), 'NativeMessagingHosts')) }];
  }
  const targets = targetsOf(choice.browsers, choice, machine);
  const missing = choice.browsers.filter((browser) => targets.every((target) => target.browser !== browser));
  // a policy reaches Brave too; its users then run "install" each for himself
  if (missing.length === 0 || choice.policy === true) return targets;
  throw new FirstscreenError('E_OPTION', `${missing.map(titleOf).join(' and ')} documents no place for all users.`, 'Install without --system.');
}

function targetsOf(browsers: readonly BrowserName[], { scope }: Choice, machine: Machine): Target[] {
  return browsers.flatMap((browser) => {
    const directory = scope === 'user' ? userManifestDirectory(browser, machine) : systemManifestDirectory(browser, machine);
    return directory === null ? [] : [{ browser, manifest: manifestIn(directory) }];
  });
}

function manifestIn(directory: string): string {
  return join(directory, `${NATIVE_HOST_NAME}.json`);
}
