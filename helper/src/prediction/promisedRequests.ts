import { valueOf } from '../../../shared/src/node/http/rawHeaders.ts';
import { withCookie } from '../../../shared/src/node/http/requestFields.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import type { PredictedRequest } from './predictedAnswers.ts';

/** With which cookies the relay has asked for something (`PushedAnswers.cookieFor`). */
export type PromisedCookie = (url: string, headers: PredictedRequest['headers']) => string | null | undefined;

/** Claimed as soon as it is there. */
const NO_LOAD = -1;

/**
 * What the relay has promised has left, with the cookies of when it read the page: what is foreseen is worded so, and whether its answer is one to the browser's request is told by the rules of all that is
 * foreseen (docs/architecture.md, "When a foreseen answer is given").
 */
export function asPromised(request: PredictedRequest, promisedCookie: PromisedCookie): PredictedRequest {
  const cookie = promisedCookie(request.url, request.headers);
  return cookie === undefined ? request : { ...request, headers: withCookie(request.headers, cookie), isPromised: true };
}

/** The same of what the browser asks for itself. @returns null where nothing is promised */
export function promisedFor({ method, origin, headers }: UpstreamRequest, url: string, partition: string, promisedCookie: PromisedCookie): PredictedRequest | null {
  if (method !== 'GET') return null;
  const mode = { cors: valueOf(headers, 'sec-fetch-mode') === 'cors', credentials: 'include' } as const;
  const request = asPromised({ url, partition, page: partition, direction: `${partition} ${origin}`, load: NO_LOAD, headers, mode, destination: valueOf(headers, 'sec-fetch-dest') ?? '', isPromised: false }, promisedCookie);
  return request.isPromised ? request : null;
}
