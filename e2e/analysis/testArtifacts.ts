import type { Artifacts, BrowserRequest, FrameInView, NeededImage } from '../metrics/artifacts.ts';
import type { Flow, LinkReport, ServedRequest } from '../metrics/testbed.ts';
import type { DecodedFrame } from './pixels.ts';

/** Hand-made loads for tests: navigation starts at 1,000 ms on the monotonic clock, each request has a connection of its own. */
export const START_MS = 1_000;
export const VIEW = { width: 40, height: 20 };
export const MAIN_FRAME = 'main';
export const PAGE_URL = 'http://site.test/';

export interface TestObject {
  readonly url: string;
  /** ms after navigation start; null: never arrives whole. */
  readonly arrivalMs: number | null;
  readonly type?: string;
  readonly frameId?: string;
  readonly status?: number;
  readonly bytes?: number;
  readonly initiatorUrl?: string | null;
}

const HEADER_BYTES = 200;
const nanoseconds = (ms: number) => (START_MS + ms) * 1e6;

export function testArtifacts(objects: readonly TestObject[], images: readonly NeededImage[], extra: Partial<Artifacts> = {}): Artifacts {
  const main: FrameInView = { frameId: MAIN_FRAME, url: PAGE_URL, timeOriginMs: 0, domContentLoadedMs: 0, images, unusedStyleSheets: [] };
  return {
    navigationStartMs: START_MS,
    earlier: { kept: new Set(), deliveredBytes: 0 },
    frames: [],
    isSampled: false,
    layout: [main],
    domContentLoadedMs: new Map([[MAIN_FRAME, START_MS + 500]]),
    browserRequests: objects.map(browserRequest),
    requestEnds: [],
    redirects: new Map(),
    served: objects.map(servedRequest),
    names: [],
    flows: objects.map(flow),
    link: testLink(),
    screenshot: Buffer.alloc(0),
    ...extra,
  };
}

/** The same load by a relay: one connection over the link, that was there before, and the browser tells of the ends. */
export function relayedArtifacts(objects: readonly TestObject[], images: readonly NeededImage[]): Artifacts {
  const direct = testArtifacts(objects, images);
  const inOrder = objects.flatMap(({ arrivalMs, bytes = 1_000 }) => (arrivalMs === null ? [] : [{ arrivalMs, bytes }])).toSorted((a, b) => a.arrivalMs - b.arrivalMs);
  const beforeBytes = 3_000;
  let delivered = beforeBytes;
  const steps = inOrder.map(({ arrivalMs, bytes }): [number, number] => [nanoseconds(arrivalMs), (delivered += bytes + HEADER_BYTES)]);
  return {
    ...direct,
    served: direct.served.map((request, port) => ({ ...request, client: `10.98.0.1:${port}` })),
    flows: [{ client: '10.99.0.1:40000', server: '10.99.0.2:8443', beforeBytes, steps }],
    requestEnds: objects.flatMap(({ url, arrivalMs }) => (arrivalMs === null ? [] : [{ url, atMs: START_MS + arrivalMs }])),
  };
}

function browserRequest({ url, type = 'image', frameId = MAIN_FRAME, initiatorUrl = PAGE_URL }: TestObject): BrowserRequest {
  return { url, type, frameId, initiatorUrl };
}

function servedRequest({ url, arrivalMs, status = 200, bytes = 1_000 }: TestObject, port: number): ServedRequest {
  return {
    url, recordedUrl: url, status, method: 'GET', client: `10.99.0.1:${port}`, server: '20.100.1.0:80', contentType: null,
    startNs: nanoseconds(startMs(arrivalMs)), endNs: nanoseconds(arrivalMs ?? 0), bodyBytes: bytes, streamEnd: bytes + HEADER_BYTES, aborted: arrivalMs === null,
  };
}

/** Asked for at the navigation, or before it, when it came before. */
function startMs(arrivalMs: number | null): number {
  return Math.min(0, 2 * (arrivalMs ?? 0));
}

/** The body comes in two pieces, so that only the second is the arrival. */
function flow({ arrivalMs, bytes = 1_000 }: TestObject, port: number): Flow {
  const steps: [number, number][] = arrivalMs === null ? [[nanoseconds(10), 100]] : [[nanoseconds((startMs(arrivalMs) + arrivalMs) / 2), 100], [nanoseconds(arrivalMs), bytes + HEADER_BYTES]];
  return { client: `10.99.0.1:${port}`, server: '20.100.1.0:80', steps };
}

export function testLink(): LinkReport {
  const counters = { packets: 1, bytes: 5_000, dropsQueue: 0, dropsLoss: 0, deliveredBytes: 5_000 };
  return {
    profile: { name: 'test', down: { rateBitsPerSecond: 1_000_000, delayMs: 50, loss: 0 }, up: { rateBitsPerSecond: 1_000_000, delayMs: 50, loss: 0 } },
    seed: 1, realtime: true, rootless: false, lateness: { p50Us: 1, p99Us: 2, maxUs: 3, samples: 4 }, down: counters, up: counters, check: null,
  };
}

/** A frame that is white but for the rectangles painted in it. */
export function testFrame(atMs: number, painted: readonly { x: number; y: number; width: number; height: number; grey?: number }[]): DecodedFrame {
  const rgb = new Uint8Array(VIEW.width * VIEW.height * 3).fill(255);
  for (const { x, y, width, height, grey = 0 } of painted) {
    for (let row = y; row < y + height; row++) rgb.fill(grey, (row * VIEW.width + x) * 3, (row * VIEW.width + x + width) * 3);
  }
  return { atMs, ...VIEW, rgb };
}
