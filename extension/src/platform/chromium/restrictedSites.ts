/** Chromium, Chrome and Edge run no content scripts in their own stores, whatever access an extension has. */
const STORES = ['https://chromewebstore.google.com/', 'https://chrome.google.com/webstore', 'https://microsoftedge.microsoft.com/addons'];

export function isWithoutContentScripts(documentUrl: string | undefined): boolean {
  return STORES.some((store) => documentUrl?.startsWith(store) === true);
}
