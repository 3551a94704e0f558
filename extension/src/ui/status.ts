import { STATUS_PORT, type PopupQuestion, type TabStatus } from '../messages/status.ts';
import { steadyPort } from './steadyPort.ts';

/** Calls now, and whenever the background script may have another answer; one that has ended may have started anew. */
export function watchStatus(changed: () => void): void {
  steadyPort(STATUS_PORT, changed, changed);
}

/** Null where nobody answers: the background script is starting, or the extension was just updated. */
export async function statusOf(tabId: number): Promise<TabStatus | null> {
  return chrome.runtime.sendMessage<PopupQuestion, TabStatus>({ type: 'status', tabId }).catch(() => null);
}

/** Loads the page of a tab anew, once without Firstscreen. @returns whether it is being loaded */
export async function loadWithout(tabId: number): Promise<boolean> {
  return chrome.runtime.sendMessage<PopupQuestion, boolean>({ type: 'loadWithout', tabId }).catch(() => false);
}
