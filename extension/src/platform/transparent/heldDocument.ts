import { remember } from '../../../../shared/src/page/remembered.ts';

/** No request waits longer than this, whatever happened to its release. */
export const HOLD_LIMIT_MS = 20_000;

interface HeldRequest {
  readonly requestId: string;
  readonly letGo: () => void;
}

/** The requests of one document that wait for their release, and what has been released and so never waits again. */
export class HeldDocument {
  private readonly heldByUrl = new Map<string, Set<HeldRequest>>();
  private readonly releasedUrls = new Set<string>();
  private readonly releasedRequests = new Set<string>();
  private readonly gaveUp: (url: string) => void;
  private open = false;

  /** @param gaveUp nobody has released this one in time */
  constructor(gaveUp: (url: string) => void) {
    this.gaveUp = gaveUp;
  }

  /** A request of a released object goes on, and so does each redirection of a request that was let go. */
  mustPass(requestId: string, url: string): boolean {
    return this.open || this.releasedUrls.has(url) || this.releasedRequests.has(requestId);
  }

  /** It was let go unheld. */
  pass(requestId: string): void {
    remember(this.releasedRequests, requestId);
  }

  /** @returns resolves when the request may go; Firefox takes `undefined` for "no proxy of mine" */
  hold(requestId: string, url: string): Promise<undefined> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.release(url);
        this.gaveUp(url);
      }, HOLD_LIMIT_MS);
      const letGo = (): void => {
        clearTimeout(timer);
        resolve(undefined);
      };
      const held = this.heldByUrl.get(url) ?? new Set();
      this.heldByUrl.set(url, held.add({ requestId, letGo }));
    });
  }

  release(url: string): void {
    remember(this.releasedUrls, url);
    const held = this.heldByUrl.get(url) ?? [];
    this.heldByUrl.delete(url);
    for (const { requestId, letGo } of held) {
      remember(this.releasedRequests, requestId);
      letGo();
    }
  }

  /** Nothing is held here any more, in the order in which it was asked for. */
  releaseAll(): void {
    this.open = true;
    for (const url of [...this.heldByUrl.keys()]) this.release(url);
  }
}
