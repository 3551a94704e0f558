import { join } from 'node:path';
import * as v from 'valibot';
import { CHROMIUM_EXTENSION_ID, FIREFOX_ADDON_ID } from '../../../shared/src/protocol/identity.ts';
import { misfitOf, misfitReport } from '../../../shared/src/protocol/releaseFit.ts';
import { readOrNothing } from '../../../shared/src/node/readOrNothing.ts';
import { namesIn } from '../files.ts';
import { firefoxProfiles } from '../trust/firefoxProfiles.ts';
import { HELPER_VERSION } from '../version.ts';
import { BROWSERS, BROWSER_NAMES, profileDirectories } from './browsers.ts';
import { pass, warn, type Check } from '../../../shared/src/check.ts';
import type { Machine } from './machine.ts';
import { distinct } from './receipt.ts';

/** Of Firefox's own list, what we read of it. */
const AddonsSchema = v.object({ addons: v.array(v.looseObject({ id: v.string(), version: v.optional(v.string(), '') })) });

/** The extension as one browser has it; an unpacked one of Chromium's is not seen. */
interface Found {
  readonly title: string;
  readonly version: string;
}

/** Whether the extensions that this user's browsers have installed fit this helper. @param extensionIds of those with a key of their own */
export function checkExtensions(extensionIds: readonly string[], machine: Machine): Check[] {
  const found = distinct([...chromiumExtensions([CHROMIUM_EXTENSION_ID, ...extensionIds], machine), ...firefoxAddons(machine)], ({ title, version }) => `${title} ${version}`);
  return found.map(({ title, version }) => {
    const releases = { extension: version, helper: HELPER_VERSION };
    const misfit = misfitOf(releases);
    if (misfit === null) return pass('extension', `${title} has ${version}`);
    const { text, next } = misfitReport(misfit, releases);
    return warn('extension', `${title}: ${text}`, next);
  });
}

/** Chromium keeps each version of an extension in a directory of its own, as in `0.1.0_0`; the newest one runs. */
function chromiumExtensions(ids: readonly string[], machine: Machine): Found[] {
  return BROWSER_NAMES.filter((name) => BROWSERS[name].family === 'chromium').flatMap((name) => {
    const roots = profileDirectories(name, machine);
    const profiles = roots.flatMap((root) => namesIn(root).map((profile) => join(root, profile)));
    return profiles.flatMap((profile) => ids.flatMap((id) => newest(namesIn(join(profile, 'Extensions', id))).map((version) => ({ title: BROWSERS[name].title, version }))));
  });
}

function newest(directories: readonly string[]): string[] {
  const versions = directories.flatMap((name) => /^(\d+(?:\.\d+)*)_\d+$/.exec(name)?.[1] ?? []);
  return versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).slice(-1);
}

function firefoxAddons(machine: Machine): Found[] {
  return firefoxProfiles(machine).flatMap((profile) => {
    const addons = parseAddons(readOrNothing(join(profile, 'extensions.json')));
    return addons.filter(({ id }) => id === FIREFOX_ADDON_ID).map(({ version }) => ({ title: BROWSERS.firefox.title, version }));
  });
}

/** None where Firefox writes its list in another way. */
function parseAddons(text: string): v.InferOutput<typeof AddonsSchema>['addons'] {
  try {
    return v.parse(AddonsSchema, JSON.parse(text)).addons;
  } catch {
    return [];
  }
}
