import type { CDPSession, Frame, Page, Request } from 'playwright-core';
import type { BrowserRequest } from './artifacts.ts';

/** Of the DevTools event. */
interface RequestWillBeSent {
  readonly frameId?: string;
  readonly type?: string;
  readonly documentURL: string;
  readonly request: { readonly url: string };
  readonly redirectResponse?: { readonly url: string };
  readonly initiator: { readonly url?: string; readonly stack?: StackTrace };
}

interface StackTrace {
  readonly callFrames: readonly { readonly url: string }[];
  readonly parent?: StackTrace;
}

/**
 * Records what kind each URL is and who asked for it: times are never taken from the browser's network events.
 *
 * The page's session tells who asked. Frames in other processes have sessions of their own; Playwright watches those
 * from their first request.
 */
export class RequestRecorder {
  redirects = new Map<string, string>();
  #requests: BrowserRequest[] = [];
  #seen = new Set<string>();
  #ofFrames: Request[] = [];

  constructor(page: Page, session: CDPSession) {
    session.on('Network.requestWillBeSent', (event) => this.#record(event));
    page.on('request', (request) => {
      // Workers have no frame.
      if (request.serviceWorker() === null && frameOf(request) !== page.mainFrame()) this.#ofFrames.push(request);
    });
  }

  /** Forgets what came before. */
  begin(): void {
    this.redirects = new Map();
    this.#requests = [];
    this.#seen = new Set();
    this.#ofFrames = [];
  }

  /** @param frameIds of frames in other processes, as the layout has them */
  requests(frameIds: ReadonlyMap<Frame, string>): BrowserRequest[] {
    const remote = this.#ofFrames.filter((request) => !this.#seen.has(withoutFragment(request.url())));
    for (const request of remote) {
      const from = request.redirectedFrom()?.url();
      if (from !== undefined) this.redirects.set(withoutFragment(from), withoutFragment(request.url()));
    }
    return [
      ...this.#requests,
      ...remote.map((request) => {
        const frame = frameOf(request);
        return { url: withoutFragment(request.url()), frameId: frame === null ? null : (frameIds.get(frame) ?? null), type: request.resourceType(), initiatorUrl: frame === null ? null : withoutFragment(frame.url()) };
      }),
    ];
  }

  #record(event: RequestWillBeSent): void {
    const url = withoutFragment(event.request.url);
    if (event.redirectResponse) this.redirects.set(withoutFragment(event.redirectResponse.url), url);
    this.#seen.add(url);
    this.#requests.push({ url, frameId: event.frameId ?? null, type: (event.type ?? 'other').toLowerCase(), initiatorUrl: initiatorOf(event) });
  }
}

/** Null for the request of a navigation whose frame is not known yet. */
function frameOf(request: Request): Frame | null {
  try {
    return request.frame();
  } catch {
    return null;
  }
}

function initiatorOf({ initiator, redirectResponse, documentURL }: RequestWillBeSent): string | null {
  const named = redirectResponse?.url ?? initiator.url ?? topOfStack(initiator.stack) ?? documentURL;
  return named === '' ? null : withoutFragment(named);
}

function topOfStack(stack: StackTrace | undefined): string | undefined {
  if (!stack) return undefined;
  return stack.callFrames.find(({ url }) => url !== '')?.url ?? topOfStack(stack.parent);
}

export function withoutFragment(url: string): string {
  const hash = url.indexOf('#');
  return hash < 0 ? url : url.slice(0, hash);
}
