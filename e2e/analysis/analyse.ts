import type { TimeShares } from '../../shared/src/waterfall/timeShares.ts';
import type { Artifacts } from '../metrics/artifacts.ts';
import { Arrivals } from './arrival.ts';
import { dependencyDepths, lowerBoundMs, type LowerBoundInput } from './dependencyDepth.ts';
import { area95Ms, isrtArrivalMs, isrtMs, showTimes, type ShownObject } from './isrt.ts';
import { framesOfPage } from './framesOfPage.ts';
import { missingImages, neededObjects } from './needed.ts';
import { stillPixels, type DecodedFrame } from './pixels.ts';
import { ResponseIndex } from './responses.ts';
import { timeShares } from './timeShares.ts';
import { visualMetrics } from './visualProgress.ts';
import { isRelayed, roundTripMs } from './ways.ts';

/** What changes later than this after the last arrival is not the network's doing. */
const REST_AFTER_ARRIVAL_MS = 1_000;

/** One object as the browser asked for it, for comparing loads. */
export interface AnsweredRequest {
  readonly url: string;
  /** Without volatile parameters: the same for every load of the page. */
  readonly canonicalUrl: string;
  readonly status: number;
  /** Arrived whole. */
  readonly whole: boolean;
}

export interface LoadMetrics extends TimeShares {
  readonly isrtMs: number;
  readonly isrtArrivalMs: number;
  readonly visuallyCompleteMs: number;
  readonly speedIndexMs: number;
  readonly area95Ms: number;
  readonly lowerBoundMs: number;
  readonly allObjectsMs: number;
  readonly bytes: number;
  readonly bodyBytes: number;
  readonly firstScreenBytes: number;
  readonly requests: number;
  /** Of these, those that a relay made. */
  readonly requestsRelayed: number;
  /** Everything the first screen waited for, latest first. */
  readonly needed: readonly ShownObject[];
  readonly missing: readonly string[];
  readonly answered: readonly AnsweredRequest[];
}

/**
 * Every number of one load, from what was gathered. Pure.
 *
 * @param drawn decoded frames in order of time; the last one is the final picture
 * @param frameScale size of a frame's pixel grid against CSS pixels
 */
export function analyse(artifacts: Artifacts, drawn: readonly DecodedFrame[], frameScale: number): LoadMetrics {
  const arrivals = new Arrivals(artifacts.flows, artifacts.requestEnds);
  const responses = new ResponseIndex(artifacts, arrivals);
  const allArrivals = artifacts.served.flatMap((request) => arrivals.of(request) ?? []);
  const allObjectsMs = allArrivals.reduce((latest, arrivalMs) => Math.max(latest, arrivalMs), artifacts.navigationStartMs) - artifacts.navigationStartMs;

  const { frames, firstRequestMs } = framesOfPage(drawn, artifacts, responses);
  const final = frames.at(-1);
  const mask = final ? stillPixels(frames, final, allObjectsMs + REST_AFTER_ARRIVAL_MS) : new Uint8Array();
  const needed = neededObjects(artifacts, responses);
  const pictures = new Set(artifacts.browserRequests.filter(({ type }) => type === 'image').map(({ url }) => url));
  const causeArrivalsMs = artifacts.served
    .flatMap((request) => (pictures.has(request.url) ? [] : (arrivals.of(request) ?? [])))
    .map((arrivalMs) => arrivalMs - artifacts.navigationStartMs)
    .toSorted((a, b) => a - b);
  const shown = showTimes({ needed, frames: artifacts.isSampled ? [] : frames, mask, frameScale, causeArrivalsMs }).toSorted((a, b) => b.shownMs - a.shownMs);

  const isrt = isrtMs(shown);
  const neededResponses = new Set(needed.flatMap(({ url }) => responses.find(url)?.request ?? []));
  // by the responses: of a redirect both addresses are needed, and one body
  const firstScreenBytes = [...neededResponses].reduce((sum, { bodyBytes }) => sum + bodyBytes, 0);
  const carried = (url: string) => responses.find(url)?.request !== null;
  const depths = dependencyDepths(artifacts.browserRequests.filter(({ url }) => carried(url)));
  const { profile } = artifacts.link;
  return {
    isrtMs: isrt,
    ...timeShares({ isrtMs: isrt, navigationStartMs: artifacts.navigationStartMs, served: artifacts.served, arrivals, flows: artifacts.flows, link: artifacts.link, needed: neededResponses }),
    isrtArrivalMs: isrtArrivalMs(needed),
    ...visualMetrics(frames, mask, firstRequestMs),
    area95Ms: area95Ms(shown),
    lowerBoundMs: lowerBoundMs({
      bytes: firstScreenBytes,
      rateBitsPerSecond: profile.down.rateBitsPerSecond,
      rttMs: roundTripMs(profile),
      setup: setupOf(artifacts),
      depth: needed.reduce((deepest, { url }) => Math.max(deepest, carried(url) ? (depths.get(url) ?? 1) : 0), 0),
    }),
    allObjectsMs,
    bytes: artifacts.link.down.deliveredBytes - artifacts.earlier.deliveredBytes,
    bodyBytes: artifacts.served.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0),
    firstScreenBytes,
    requests: artifacts.served.length,
    requestsRelayed: artifacts.served.filter(isRelayed).length,
    needed: shown,
    missing: missingImages(artifacts, responses),
    answered: answeredRequests(artifacts),
  };
}

/** What servers were asked for, and what came of it. */
export function answeredRequests({ served, flows, requestEnds }: Pick<Artifacts, 'served' | 'flows' | 'requestEnds'>): AnsweredRequest[] {
  const arrivals = new Arrivals(flows, requestEnds);
  return served.map((request) => ({ url: request.url, canonicalUrl: request.recordedUrl ?? request.url, status: request.status, whole: arrivals.of(request) !== null }));
}

/** A browser that has been to the site may have the name and a connection still. */
function setupOf({ earlier, layout }: Artifacts): LowerBoundInput['setup'] {
  if (earlier.kept.size > 0) return 'nothing';
  return layout[0]?.url.startsWith('https:') ? 'tls' : 'tcp';
}
