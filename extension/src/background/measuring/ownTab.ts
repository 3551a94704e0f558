import type { Measurement } from '../../messages/measuring.ts';
import { keepInSession, keptInSession } from '../../settings/sessionStore.ts';
import { MeasurementSchema } from './measurementSchema.ts';

const KEY = 'measurement';

/** Opens a tab in front of the user. @param besideTabId in the window of this one, if it is there still */
export async function openTab(url: string, besideTabId: number | null): Promise<number> {
  const beside = besideTabId === null ? null : await chrome.tabs.get(besideTabId).catch(() => null);
  const { id } = await chrome.tabs.create({ url, active: true, ...(beside !== null && { windowId: beside.windowId }) });
  if (id === undefined) throw new TypeError('the browser opened a tab without an id');
  return id;
}

/** Whether a tab is in front; whether another window covers it only its page is told. */
export async function isTabSeen(tabId: number): Promise<boolean> {
  try {
    const { active, windowId } = await chrome.tabs.get(tabId);
    // Firefox for Android has no windows
    const windows = chrome.windows as typeof chrome.windows | undefined;
    return active && (windows === undefined || (await windows.get(windowId)).state !== 'minimized');
  } catch {
    // it is gone, and the measurement with it
    return false;
  }
}

/** Until the browser ends, for a background script that comes after this one. */
export function keepMeasurement(measurement: Measurement): void {
  void keepInSession(KEY, measurement);
}

export function keptMeasurement(): Promise<Measurement | null> {
  return keptInSession(KEY, MeasurementSchema);
}
