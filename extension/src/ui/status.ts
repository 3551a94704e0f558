import { STATUS_PORT, type PopupQuestion, type TabStatus } from '../messages/status.ts';

/** A background script that ends is woken, but not in a tight loop when it can not start. */
const RECONNECT_MS = 1_000;

/** Calls now, and whenever the background script may have another answer; one that has ended may have started anew. */
export function watchStatus(changed: () => void): void {
  const port = chrome.runtime.connect({ name: STATUS_PORT });
  port.onMessage.addListener(changed);
  port.onDisconnect.addListener(() => setTimeout(() => watchStatus(changed), RECONNECT_MS));
  changed();
}

/** Null where nobody answers: the background script is starting, or the extension was just updated. */
export async function statusOf(tabId: number): Promise<TabStatus | null> {
  return chrome.runtime.sendMessage<PopupQuestion, TabStatus>({ type: 'status', tabId }).catch(() => null);
}

/** Loads the page of a tab anew, once without Firstscreen. @returns whether it is being loaded */
export async function loadWithout(tabId: number): Promise<boolean> {
  return chrome.runtime.sendMessage<PopupQuestion, boolean>({ type: 'loadWithout', tabId }).catch(() => false);
}
