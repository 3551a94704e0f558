import { beginOf, type Lane, type Placed } from '../../../../shared/src/waterfall/bars.ts';
import type { PanelRequest } from './panelRequest.ts';

/** CSS pixels. */
export const ROW_HEIGHT = 10;
export const BAR_HEIGHT = 8;
const LANE_GAP = 5;
export const SERVER_HEIGHT = 20;

export interface PlacedLane {
  readonly lane: Lane<PanelRequest>;
  readonly top: number;
  readonly bottom: number;
}

export interface PlacedServer {
  readonly server: string;
  /** What came from a cache has none. */
  readonly connections: number;
  readonly top: number;
  readonly bottom: number;
}

/** Where everything stands from top to bottom: each server with its name, and its connections below it. */
export interface WaterfallLayout {
  readonly servers: readonly PlacedServer[];
  readonly lanes: readonly PlacedLane[];
  readonly height: number;
}

export function waterfallLayout(lanes: readonly Lane<PanelRequest>[]): WaterfallLayout {
  const servers: PlacedServer[] = [];
  const placed: PlacedLane[] = [];
  let y = 0;
  for (const [server, ofServer] of Map.groupBy(lanes, (lane) => lane.server)) {
    const top = y;
    y += SERVER_HEIGHT;
    for (const lane of ofServer) {
      placed.push({ lane, top: y, bottom: y + lane.rows * ROW_HEIGHT });
      y += lane.rows * ROW_HEIGHT + LANE_GAP;
    }
    servers.push({ server, connections: ofServer.filter(({ connection }) => connection !== '').length, top, bottom: y });
  }
  return { servers, lanes: placed, height: y };
}

/** Those that stand between two heights, of things from top to bottom that do not overlap: what is drawn is what is seen. */
export function between<T extends { readonly top: number; readonly bottom: number }>(things: readonly T[], top: number, bottom: number): readonly T[] {
  let [low, high] = [0, things.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((things[middle]?.bottom ?? Infinity) < top) low = middle + 1;
    else high = middle;
  }
  const first = low;
  while (low < things.length && (things[low]?.top ?? Infinity) <= bottom) low += 1;
  return things.slice(first, low);
}

/** The request that is drawn there, or so near that it was meant. @param slackMs to each side */
export function requestAt({ lanes }: WaterfallLayout, y: number, atMs: number, slackMs: number): Placed<PanelRequest> | null {
  const [placed] = between(lanes, y, y);
  if (placed === undefined || y < placed.top) return null;
  const row = Math.floor((y - placed.top) / ROW_HEIGHT);
  const near = placed.lane.bars.filter((bar) => bar.row === row && atMs >= beginOf(bar) - slackMs && atMs <= bar.endMs + slackMs);
  const distance = (bar: PanelRequest): number => Math.max(beginOf(bar) - atMs, atMs - bar.endMs, 0);
  return near.toSorted((a, b) => distance(a) - distance(b))[0] ?? null;
}

/** Where a request's bar stands; null when it is not shown. */
export function topOf({ lanes }: WaterfallLayout, key: string): number | null {
  for (const { lane, top } of lanes) {
    const bar = lane.bars.find((each) => each.key === key);
    if (bar !== undefined) return top + bar.row * ROW_HEIGHT;
  }
  return null;
}
