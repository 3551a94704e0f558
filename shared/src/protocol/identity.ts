/**
 * Who the extension is, for the browsers' manifests and for the helper's check of its caller.
 *
 * The key pins the id of an unpacked or self-packed Chromium extension: a browser derives the id from it (first 16 bytes of the SHA-256
 * of the DER, each half-byte written as a-p), so the helper can name its caller in advance. Nothing is signed with the key and the
 * private half was never kept. The helper's caller.test.ts checks that key and id belong together.
 */

/** `key` of the Chromium manifest: RSA 2048 public key, SubjectPublicKeyInfo DER, base64. */
export const CHROMIUM_MANIFEST_KEY =
  'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAk2rw1RfUD0VVpPcU81xQtZuukJmmz/u/yp/UExz4SEMGShEl9FLu7/WLcHCy+8QJfs748xApOBKd' +
  'LV3u4cqY+AIF3gu+h/s2OxunFJ59E8CJ2YW86zzMcvNfhzCEKT72hIFPf3UZkm6gFF8l1KgXcIWIEpdte9zKxT6mfyxAoIZcT+ZKxNROrWJ2MCdWLgDeFgxJ' +
  'Whm7dPHg1gOZKeKdtBPn4SORENtp4FOdZzp+wOGTITYUQcMlTmLY/Ynx7FL9gl7ZUrVLg4yj2JuXVTnShQrVi6Fr8tX3dck108BkboVkdg4cjTDIpbu4H1Jy' +
  'iOeg8l8VhLWJB4id0zzHk2yibQIDAQAB';

/** The id that Chromium browsers derive from CHROMIUM_MANIFEST_KEY. */
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
