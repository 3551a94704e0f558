import { STATUS_PORT, type StatusQuestion, type TabStatus } from '../messages/status.ts';

/** A background script that ends is woken, but not in a tight loop when it can not start. */
const RECONNECT_MS = 1_000;
/** For a status of no page. */
export const NO_TAB = -1;

/** Calls now, and whenever the background script may have another answer; one that has ended may have started anew. */
export function watchStatus(changed: () => void): void {
  const port = chrome.runtime.connect({ name: STATUS_PORT });
  port.onMessage.addListener(changed);
  port.onDisconnect.addListener(() => setTimeout(() => watchStatus(changed), RECONNECT_MS));
  changed();
}

/** Null where nobody answers: the background script is starting, or the extension was just updated. */
export async function statusOf(tabId: number): Promise<TabStatus | null> {
  const question: StatusQuestion = { type: 'status', tabId };
  return chrome.runtime.sendMessage<StatusQuestion, TabStatus>(question).catch(() => null);
}
