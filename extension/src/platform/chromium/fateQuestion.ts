/** Content script to background script: what became of the requests for these URLs? */
export interface FateQuestion {
  readonly type: 'fates';
  readonly urls: readonly string[];
}

/** When such a request was last held, and when a marked one last went out; wall clock, null for never. */
export interface Fate {
  readonly heldMs: number | null;
  readonly releasedMs: number | null;
}

export const MAX_FATE_URLS = 1000;

const UNKNOWN: Fate = { heldMs: null, releasedMs: null };

/** Null when the background script is gone. */
export async function askFates(urls: readonly string[]): Promise<ReadonlyMap<string, Fate> | null> {
  try {
    const question: FateQuestion = { type: 'fates', urls: urls.slice(0, MAX_FATE_URLS) };
    const fates: Fate[] | undefined = await chrome.runtime.sendMessage(question);
    return new Map(urls.map((url, index) => [url, fates?.[index] ?? UNKNOWN]));
  } catch {
    // "Receiving end does not exist", "Extension context invalidated": fail open
    return null;
  }
}
