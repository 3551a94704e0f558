import type { Rect } from '../../shared/src/page/geometry.ts';
import type { Artifacts, BrowserRequest } from '../metrics/artifacts.ts';
import type { ResponseIndex } from './responses.ts';

export type NeededKind = 'document' | 'stylesheet' | 'script' | 'font' | 'image' | 'background' | 'poster' | 'svg' | 'input';

/** An object that the first screen waits for. */
export interface NeededObject {
  readonly url: string;
  readonly kind: NeededKind;
  /** ms after navigation start. */
  readonly arrivalMs: number;
  readonly bytes: number;
  /** Visible parts in the first viewport; empty for layout files. */
  readonly rects: readonly Rect[];
}

type NeededInput = Pick<Artifacts, 'layout' | 'browserRequests' | 'domContentLoadedMs' | 'navigationStartMs'>;

/**
 * What the first viewport needs (docs/benchmarks.md, "ISRT"), as far as it arrived: images and backgrounds seen in it, and the layout
 * files of the documents seen in it. A URL counts once.
 */
export function neededObjects(artifacts: NeededInput, responses: ResponseIndex): NeededObject[] {
  const needed = new Map<string, NeededObject>();
  const add = (url: string, kind: NeededKind, rects: readonly Rect[]) => {
    const known = needed.get(url);
    if (known) {
      needed.set(url, { ...known, rects: [...known.rects, ...rects] });
      return;
    }
    const response = responses.find(url);
    if (response) needed.set(url, { url, kind, rects, arrivalMs: response.arrivalMs - artifacts.navigationStartMs, bytes: response.bytes });
  };
  for (const { url, kind } of layoutFiles(artifacts, responses)) add(url, kind, []);
  for (const { images } of artifacts.layout) for (const { url, kind, rect } of images) add(url, kind, [rect]);
  return [...needed.values()];
}

/** In-view images that neither came nor were refused: a page that shows a hole. */
export function missingImages({ layout }: Pick<Artifacts, 'layout'>, responses: ResponseIndex): string[] {
  const urls = new Set(layout.flatMap(({ images }) => images.map(({ url }) => url)));
  return [...urls].filter((url) => responses.find(url) === null && !responses.refused(url));
}

const LAYOUT_KINDS = ['document', 'stylesheet', 'script', 'font'] as const satisfies readonly NeededKind[];

function layoutFiles(artifacts: NeededInput, responses: ResponseIndex): { url: string; kind: NeededKind }[] {
  const inView = new Map(artifacts.layout.map((frame) => [frame.frameId, frame]));
  return artifacts.browserRequests.flatMap((request) => {
    const frame = request.frameId === null ? undefined : inView.get(request.frameId);
    const kind = LAYOUT_KINDS.find((one) => one === request.type);
    if (!frame || kind === undefined) return [];
    if (kind === 'stylesheet' && frame.unusedStyleSheets.includes(request.url)) return [];
    if (kind === 'script' && !heldUpParser(request, responses, artifacts.domContentLoadedMs.get(frame.frameId))) return [];
    return [{ url: request.url, kind }];
  });
}

/** A script that came after DOMContentLoaded can not have held up the parser; what it adds to the view counts by itself. */
function heldUpParser({ url }: BrowserRequest, responses: ResponseIndex, domContentLoadedMs: number | undefined): boolean {
  const response = responses.find(url);
  return response !== null && (domContentLoadedMs === undefined || response.arrivalMs <= domContentLoadedMs);
}
