import type { Artifacts } from '../metrics/artifacts.ts';
import type { ServedRequest } from '../metrics/testbed.ts';
import type { Arrivals } from './arrival.ts';

/** A whole, successful response. */
export interface Response {
  /** Not before the navigation. */
  readonly arrivalMs: number;
  /** That the link carried for this load. */
  readonly bytes: number;
  /** Null for what had come before the navigation. */
  readonly request: ServedRequest | null;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

export function isRedirect(status: number): boolean {
  return status >= 300 && status < 400;
}

const MAX_REDIRECTS = 10;

type IndexedLoad = Pick<Artifacts, 'served' | 'redirects' | 'earlier' | 'navigationStartMs'>;

/**
 * Finds the response that brought a URL, over the redirects that the server answered. What had come before the navigation
 * (in an earlier load of the browser, or while the page before was read) was there at its start.
 */
export class ResponseIndex {
  readonly #byUrl: ReadonlyMap<string, readonly ServedRequest[]>;
  readonly #arrivals: Arrivals;
  readonly #load: IndexedLoad;

  constructor(load: IndexedLoad, arrivals: Arrivals) {
    this.#byUrl = Map.groupBy(load.served, ({ url }) => url);
    this.#arrivals = arrivals;
    this.#load = load;
  }

  /** URLs that are there after the load, for the next load of the browser. */
  arrived(): string[] {
    const { redirects, earlier } = this.#load;
    return [...new Set([...earlier.kept, ...this.#byUrl.keys(), ...redirects.keys()])].filter((url) => this.find(url) !== null);
  }

  /** The first whole success; null when there was none (error, not asked for, cut off). */
  find(url: string): Response | null {
    const { redirects, earlier, navigationStartMs } = this.#load;
    let current = url;
    for (let hop = 0; hop < MAX_REDIRECTS; hop++) {
      const answers = this.#byUrl.get(current) ?? [];
      const arrived = answers
        .filter(({ status }) => isSuccess(status))
        .flatMap((answer) => {
          const arrivalMs = this.#arrivals.of(answer);
          return arrivalMs === null ? [] : [{ arrivalMs, bytes: answer.bodyBytes, request: answer }];
        });
      const [first] = arrived.toSorted((a, b) => a.arrivalMs - b.arrivalMs);
      const isThereBefore = first ? first.arrivalMs <= navigationStartMs : answers.length === 0 && earlier.kept.has(current);
      if (isThereBefore) return { arrivalMs: navigationStartMs, bytes: 0, request: null };
      if (first) return first;
      const next = redirects.get(current);
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
