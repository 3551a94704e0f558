import type { ServedRequest } from '../metrics/testbed.ts';
import type { Arrivals } from './arrival.ts';

/** A whole, successful response. */
export interface Response {
  readonly url: string;
  readonly arrivalMs: number;
  readonly bytes: number;
  readonly request: ServedRequest;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

const MAX_REDIRECTS = 10;

/** Finds the response that brought a URL, over the redirects that the server answered. */
export class ResponseIndex {
  readonly #byUrl: ReadonlyMap<string, readonly ServedRequest[]>;
  readonly #arrivals: Arrivals;
  readonly #redirects: ReadonlyMap<string, string>;

  constructor(served: readonly ServedRequest[], arrivals: Arrivals, redirects: ReadonlyMap<string, string>) {
    this.#byUrl = Map.groupBy(served, ({ url }) => url);
    this.#arrivals = arrivals;
    this.#redirects = redirects;
  }

  /** The first whole success; null when there was none (error, not asked for, cut off). */
  find(url: string): Response | null {
    let current = url;
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      const answers = this.#byUrl.get(current) ?? [];
      const arrived = answers
        .filter(({ status }) => isSuccess(status))
        .flatMap((answer) => {
          const arrivalMs = this.#arrivals.of(answer);
          return arrivalMs === null ? [] : [{ url: current, arrivalMs, bytes: answer.bodyBytes, request: answer }];
        });
      const [first] = arrived.toSorted((a, b) => a.arrivalMs - b.arrivalMs);
      if (first) return first;
      const next = this.#redirects.get(current);
      // Only what the server redirected: a redirect inside the browser brings no bytes.
      if (next === undefined || !answers.some(({ status }) => isRedirect(status))) return null;
      current = next;
    }
    return null;
  }

  /** Whether the server was asked for the URL and refused: what can not be had is not waited for. */
  refused(url: string): boolean {
    const answers = this.#byUrl.get(url);
    return answers !== undefined && answers.every(({ status, endNs }) => status >= 400 && endNs !== null);
  }
}
