/**
 * Who the extension is, for the browsers' manifests and for the helper's check of its caller.
 *
 * The manifest's key pins the id of an unpacked or self-packed Chromium extension: a browser derives the id from it (first 16 bytes of the SHA-256
 * of the DER, each half-byte written as a-p), so the helper can name its caller in advance. Nothing is signed with the key and the
 * private half was never kept. The helper's crx.test.ts checks that key and id belong together.
 */

/** The id that Chromium browsers derive from the `key` of the manifest (extension/src/manifest/chromium.json). */
export const CHROMIUM_EXTENSION_ID = 'fepfabdflbifdndnhdbidecgakckoigg';

/** The caller as Chromium browsers name it: `argv` of the helper, `allowed_origins` of the manifest. */
export const CHROMIUM_EXTENSION_ORIGIN = chromiumOrigin(CHROMIUM_EXTENSION_ID);

/** The caller's origin of an extension with another id: one that was packed with a key of its own, for installation by policy. */
export function chromiumOrigin(extensionId: string): string {
  return `chrome-extension://${extensionId}/`;
}

export function isChromiumExtensionId(text: string): boolean {
  return /^[a-p]{32}$/.test(text);
}

/** `browser_specific_settings.gecko.id` of the Firefox manifest. */
export const FIREFOX_ADDON_ID = 'firstscreen@firstscreen.org';
