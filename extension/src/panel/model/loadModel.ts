import type { ConnectionWay, RequestWays } from '../../../../shared/src/requests/requestWays.ts';
import { lanesOf, type ClosedSpan, type Lane } from '../../../../shared/src/waterfall/bars.ts';
import { sharesOfBytes, type TimeShares } from '../../../../shared/src/waterfall/timeShares.ts';
import { joined } from './join.ts';
import type { LoadRecord } from './loadRecord.ts';
import { ObjectClasses, imagePlaces } from './objectClass.ts';
import { panelRequest, type PanelRequest } from './panelRequest.ts';
import { bytesBefore, observedRate, throughputOf, type Throughput } from './throughput.ts';

export interface LoadModel {
  readonly startMs: number;
  readonly requests: readonly PanelRequest[];
  readonly connections: readonly ConnectionWay[];
  /** Of all that is known so far. */
  readonly endMs: number;
  /** When the last object that the first screen needs had come, and something was painted; null while that is not known. */
  readonly firstScreenMs: number | null;
  /** Where the time until then went; null without it, or without a rate. */
  readonly shares: TimeShares | null;
  /** In bits a second: at which something was seen to come, lately, or else in this load. */
  readonly rate: { readonly bitsPerSecond: number; readonly isMeasured: boolean } | null;
  readonly throughput: Throughput;
  readonly neededBytes: number;
  readonly wastedBytes: number;
  readonly paintMs: number | null;
}

/** A page that stays open and asks now and then has no load that anybody looks at any more. */
const MAX_THROUGHPUT_MS = 600_000;

/** What a record comes to. Pure. @param nowMs the end of what has not ended; by the wall clock, as all of the record */
export function loadModel(record: LoadRecord, ways: RequestWays, nowMs: number): LoadModel {
  const places = imagePlaces(record.places);
  const classes = new ObjectClasses(record, places);
  const held = heldSpans(record, nowMs);
  const all = joined(record.requests, ways.requests, nowMs).map((each) => panelRequest(each, { startMs: record.startMs, nowMs, classes, places, held }));
  const requests = all.toSorted((a, b) => a.beginMs - b.beginMs || (a.key < b.key ? -1 : 1));
  const endMs = Math.max(0, record.timing?.loadedMs ?? 0, ...requests.map((request) => request.endMs));
  const throughput = throughputOf(requests, Math.min(endMs, MAX_THROUGHPUT_MS));
  const paintMs = record.timing?.contentfulPaintMs ?? null;
  const firstScreenMs = firstScreen(record, requests, paintMs);
  const rate = rateOfLoad(record, requests);
  const bytes = (needed: boolean): number => requests.filter((request) => request.isNeeded === needed).reduce((sum, request) => sum + bytesBefore(request, firstScreenMs ?? endMs), 0);
  const [neededBytes, wastedBytes] = [bytes(true), bytes(false)];
  const shares = firstScreenMs === null || rate === null ? null : sharesOfBytes(firstScreenMs, neededBytes, wastedBytes, rate.bitsPerSecond);
  return { startMs: record.startMs, requests, connections: ways.connections, endMs, firstScreenMs, shares, rate, throughput, neededBytes, wastedBytes, paintMs };
}

/** The connections of some of a load's requests. */
export function panelLanes({ connections, startMs }: Pick<LoadModel, 'connections' | 'startMs'>, requests: readonly PanelRequest[]): Lane<PanelRequest>[] {
  return lanesOf(requests, (bars) => openingOf(bars, connections, startMs));
}

/** While the gate held each URL. */
function heldSpans({ gate }: LoadRecord, nowMs: number): Map<string, ClosedSpan[]> {
  const spans = new Map<string, ClosedSpan[]>();
  const open = new Map<string, number>();
  for (const { atMs, url, isHeld } of gate) {
    const fromMs = open.get(url);
    if (isHeld) {
      if (fromMs === undefined) open.set(url, atMs);
    } else if (fromMs !== undefined) {
      open.delete(url);
      spans.set(url, [...(spans.get(url) ?? []), { fromMs, toMs: atMs }]);
    }
  }
  for (const [url, fromMs] of open) spans.set(url, [...(spans.get(url) ?? []), { fromMs, toMs: nowMs }]);
  return spans;
}

/** Known once the page has said what it needed, and all of that which was asked for has come. */
function firstScreen({ needs }: LoadRecord, requests: readonly PanelRequest[], paintMs: number | null): number | null {
  const needed = requests.filter((request) => request.isNeeded && request.way?.ending !== 'failed' && !isAgain(request, requests));
  if (needs === null || needed.length === 0 || needed.some(({ browser, way }) => browser === null && way?.askedMs !== null)) return null;
  return Math.max(paintMs ?? 0, ...needed.filter(({ browser }) => browser !== null).map(({ endMs }) => endMs));
}

/** What the browser takes from its cache once more, as a picture of the page for its tab, was there for the first screen before. */
function isAgain({ url, beginMs, browser }: PanelRequest, requests: readonly PanelRequest[]): boolean {
  return browser?.isCached === true && requests.some((other) => other.url === url && other.browser !== null && other.endMs <= beginMs);
}

function rateOfLoad({ links }: LoadRecord, requests: readonly PanelRequest[]): LoadModel['rate'] {
  const measured = links.findLast(({ isMeasured }) => isMeasured);
  if (measured !== undefined) return { bitsPerSecond: measured.rateBitsPerSecond, isMeasured: true };
  const seen = observedRate(requests);
  return seen === null ? null : { bitsPerSecond: seen, isMeasured: false };
}

/** A connection of the helper tells when it was made; of the browser's, their first request. */
function openingOf(bars: readonly PanelRequest[], connections: readonly ConnectionWay[], startMs: number): ClosedSpan | null {
  const id = bars.find(({ way }) => way !== null)?.way?.connection;
  const known = connections.find(({ connection }) => connection === id);
  if (known !== undefined) return known.toMs === null ? null : { fromMs: known.fromMs - startMs, toMs: known.toMs - startMs };
  const making = bars.filter(({ way }) => way === null).flatMap(({ phases }) => phases).find(({ kind }) => kind === 'connect');
  return making === undefined ? null : { fromMs: making.fromMs, toMs: making.toMs };
}
