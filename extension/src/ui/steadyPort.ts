/** A background script that ends is woken, but not in a tight loop when it can not start. */
const RECONNECT_MS = 1_000;
/**
 * The background script answers each port as it takes it. Where Chromium can not start that script, as on a busy machine
 * when the browser starts, it drops the port without a word (MessageService::PendingLazyContextOpenChannel).
 */
const SILENCE_MS = 5_000;

type Heard = Parameters<chrome.runtime.Port['onMessage']['addListener']>[0];

/**
 * A port to the background script that is opened again whenever it closes, or nobody has taken it: a script that has
 * ended is started anew by it.
 *
 * @param opened each time: the other side knows nothing of this page then
 * @param lost each time: the other side is gone, or never was there
 * @returns says something, while the port is open
 */
export function steadyPort<Wish>(name: string, heard: Heard, opened: (say: (wish: Wish) => void) => void, lost = (): void => undefined): (wish: Wish) => void {
  let port: chrome.runtime.Port | null = null;
  const say = (wish: Wish): void => port?.postMessage(wish);

  function open(): void {
    const mine = chrome.runtime.connect({ name });
    port = mine;
    const silence = setTimeout(() => {
      mine.disconnect();
      lost();
      open();
    }, SILENCE_MS);
    mine.onMessage.addListener((...news) => {
      clearTimeout(silence);
      heard(...news);
    });
    mine.onDisconnect.addListener(() => {
      clearTimeout(silence);
      port = null;
      lost();
      setTimeout(open, RECONNECT_MS);
    });
    opened(say);
  }

  open();
  return say;
}
