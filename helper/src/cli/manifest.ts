import * as v from 'valibot';
import { CHROMIUM_EXTENSION_ORIGIN, FIREFOX_ADDON_ID, chromiumOrigin } from '../../../shared/src/protocol/identity.ts';
import { NATIVE_HOST_NAME } from '../../../shared/src/protocol/native.ts';
import { jsonText } from '../files.ts';
import type { BrowserFamily } from './browsers.ts';

/** The native messaging manifest's text, in the form that this family of browsers reads. */
export function manifestText(family: BrowserFamily, launcher: string, extensionIds: readonly string[]): string {
  const common = { name: NATIVE_HOST_NAME, description: 'Firstscreen helper', path: launcher, type: 'stdio' };
  const callers = family === 'chromium' ? { allowed_origins: [CHROMIUM_EXTENSION_ORIGIN, ...extensionIds.map(chromiumOrigin)] } : { allowed_extensions: [FIREFOX_ADDON_ID] };
  return jsonText({ ...common, ...callers });
}

const ManifestSchema = v.looseObject({
  name: v.string(),
  path: v.string(),
  type: v.string(),
  allowed_origins: v.optional(v.array(v.string()), []),
  allowed_extensions: v.optional(v.array(v.string()), []),
});
export type Manifest = v.InferOutput<typeof ManifestSchema>;

/** The manifest in a text; null when it is none. */
export function parseManifest(text: string): Manifest | null {
  try {
    return v.parse(ManifestSchema, JSON.parse(text));
  } catch {
    return null;
  }
}

/**
 * Whether we may change or remove a manifest: it starts our launcher. One that starts anything else belongs to somebody else, and so does one that can not be read.
 */
export function isOurs(text: string, launcher: string): boolean {
  return parseManifest(text)?.path === launcher;
}

/**
 * What a browser would stumble over, in words; empty when the manifest is good.
 *
 * @param extensionIds that may be named beside the pinned one
 */
export function manifestFaults(manifest: Manifest, family: BrowserFamily, launcher: string, extensionIds: readonly string[]): string[] {
  const callers = family === 'chromium' ? manifest.allowed_origins : manifest.allowed_extensions;
  const expected = family === 'chromium' ? CHROMIUM_EXTENSION_ORIGIN : FIREFOX_ADDON_ID;
  const others = family === 'chromium' ? extensionIds.map(chromiumOrigin) : [];
  return [
    ...(manifest.name === NATIVE_HOST_NAME ? [] : [`its name is not ${NATIVE_HOST_NAME}`]),
    ...(manifest.type === 'stdio' ? [] : ['its type is not stdio']),
    ...(manifest.path === launcher ? [] : ['its path is not our launcher']),
    ...(callers.includes(expected) ? [] : ['it does not allow the Firstscreen extension']),
    ...(callers.some((caller) => caller !== expected && !others.includes(caller)) ? ['it allows others than the Firstscreen extension'] : []),
  ];
}
