/** What a browser's system has for extensions, where no API is missing that would tell. */
export interface DeviceAbilities {
  /** Whether somebody can have said where requests go, so that `proxy.settings` can be read (Firefox). */
  readonly hasProxySettings: boolean;
  /** Whether an extension can hear what is erased from the history, if it is let. */
  readonly hasHistory: boolean;
}

/**
 * Firefox for Android has `proxy.settings`, and throws where it is read; `history` is not there, and asking for its
 * permission is an error (MDN, browser-compat-data; docs/compatibility.md has the whole list).
 */
export async function deviceAbilities(): Promise<DeviceAbilities> {
  const isAndroid = (await chrome.runtime.getPlatformInfo()).os === 'android';
  return { hasProxySettings: !isAndroid, hasHistory: !isAndroid };
}
