/** A background script that ends is woken, but not in a tight loop when it can not start. */
const RECONNECT_MS = 1_000;

type Heard = Parameters<chrome.runtime.Port['onMessage']['addListener']>[0];

/**
 * A port to the background script that is opened again whenever it closes: a script that has ended is started anew by it.
 *
 * @param opened each time: the other side knows nothing of this page then
 * @returns says something, while the port is open
 */
export function steadyPort<Wish>(name: string, heard: Heard, opened: (say: (wish: Wish) => void) => void): (wish: Wish) => void {
  let port: chrome.runtime.Port | null = null;
  const say = (wish: Wish): void => port?.postMessage(wish);

  function open(): void {
    port = chrome.runtime.connect({ name });
    port.onMessage.addListener(heard);
    port.onDisconnect.addListener(() => {
      port = null;
      setTimeout(open, RECONNECT_MS);
    });
    opened(say);
  }

  open();
  return say;
}
