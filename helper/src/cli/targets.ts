import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import * as v from 'valibot';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { NATIVE_HOST_NAME } from '../../../shared/src/protocol/native.ts';
import { readIfPresent } from '../files.ts';
import { BROWSERS, BROWSER_NAMES, isPresent, manifestDirectories, type BrowserName } from './browsers.ts';
import type { Layout } from './layout.ts';
import type { Machine } from './machine.ts';
import type { Options } from './options.ts';
import { distinct, type Receipt } from './receipt.ts';

/** One manifest that tells one browser about the helper. */
export type Target = Receipt['manifests'][number];

type Choice = Pick<Options, 'browsers' | 'userDataDir' | 'scope' | 'policy'>;

/**
 * The manifests to install: those that the options name, otherwise one for each browser on this machine.
 *
 * @param served browsers that need none, unless they are named
 * @param kept of earlier runs, which are enough where no browser is found
 * @throws FirstscreenError E_INSTALL when there is no browser, E_OPTION when the browser has no such place
 */
export function targetsToInstall(choice: Choice, served: readonly BrowserName[], kept: readonly Target[], machine: Machine): Target[] {
  if (isRestricted(choice)) return namedTargets(choice, machine);
  const targets = targetsOf(BROWSER_NAMES.filter((browser) => isPresent(browser, machine)), choice, machine);
  if (targets.length + kept.length > 0 || choice.policy) return targets.filter(({ browser }) => !served.includes(browser));
  throw new FirstscreenError('E_INSTALL', `No browser was found that could be told about the helper (looked for ${BROWSER_NAMES.join(', ')}).`, 'Name one with --browser.');
}

/** The manifests that `uninstall` looks at: those that the options name, otherwise all that may be there. @param known of the receipt */
export function targetsToRemove(choice: Choice, known: readonly Target[], machine: Machine): Target[] {
  return isRestricted(choice) ? namedTargets(choice, machine) : allTargets(choice, known, machine);
}

/** Each manifest that may be there, once. @param known of the receipt */
export function allTargets(choice: Pick<Choice, 'scope'>, known: readonly Target[], machine: Machine): Target[] {
  return distinct([...targetsOf(BROWSER_NAMES, choice, machine), ...known], ({ manifest }) => manifest);
}

/**
 * Whose a manifest is: ours if it starts our launcher, or a program that is gone, as after the home directory has moved
 * or a package was removed. One that starts anything else belongs to somebody else, and so does one that can not be
 * read; neither is changed or removed.
 */
export function ownerOf({ manifest }: Target, { launcher }: Layout): 'nobody' | 'us' | 'others' {
  try {
    const text = readIfPresent(manifest);
    if (text === null) return 'nobody';
    const { path } = v.parse(v.looseObject({ path: v.string() }), JSON.parse(text));
    return path === launcher || !existsSync(path) ? 'us' : 'others';
  } catch {
    return 'others';
  }
}

/** Whom they are for, in words. */
export function titlesOf(targets: readonly Target[]): string {
  return targets.length === 0 ? 'all users' : distinct(targets.map(({ browser }) => BROWSERS[browser].title)).join(', ');
}

function isRestricted({ browsers, userDataDir }: Choice): boolean {
  return browsers.length > 0 || userDataDir !== null;
}

function namedTargets(choice: Choice, machine: Machine): Target[] {
  if (choice.userDataDir !== null) {
    return [{ browser: choice.browsers[0] ?? 'chromium', manifest: manifestIn(join(resolve(choice.userDataDir), 'NativeMessagingHosts')) }];
  }
  const targets = targetsOf(choice.browsers, choice, machine);
  const missing = choice.browsers.filter((browser) => targets.every((target) => target.browser !== browser));
  // a policy reaches Brave too; its users then run "install" each for himself. "all" are those that have a place
  if (missing.length === 0 || choice.policy || choice.browsers.length === BROWSER_NAMES.length) return targets;
  throw new FirstscreenError('E_OPTION', `${missing.map((browser) => BROWSERS[browser].title).join(' and ')} documents no place for all users.`, 'Leave out --system.');
}

function targetsOf(browsers: readonly BrowserName[], { scope }: Pick<Choice, 'scope'>, machine: Machine): Target[] {
  return browsers.flatMap((browser) => manifestDirectories(browser, scope, machine).map((directory) => ({ browser, manifest: manifestIn(directory) })));
}

function manifestIn(directory: string): string {
  return join(directory, `${NATIVE_HOST_NAME}.json`);
}
