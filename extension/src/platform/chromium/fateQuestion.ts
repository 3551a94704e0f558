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

/** An answer takes a millisecond; in a page whose extension is gone the question is never settled. */
const ANSWER_LIMIT_MS = 300;

/** Null when the background script is gone. */
export async function askFates(urls: readonly string[]): Promise<ReadonlyMap<string, Fate> | null> {
  try {
    const question: FateQuestion = { type: 'fates', urls: urls.slice(0, MAX_FATE_URLS) };
    const fates = await Promise.race([chrome.runtime.sendMessage<FateQuestion, Fate[] | undefined>(question), limit()]);
    if (fates === null) return null;
    return new Map(urls.map((url, index) => [url, fates?.[index] ?? UNKNOWN]));
  } catch {
    // "Receiving end does not exist", "Extension context invalidated": fail open
    return null;
  }
}

function limit(): Promise<null> {
  return new Promise((resolve) => setTimeout(() => resolve(null), ANSWER_LIMIT_MS));
}
