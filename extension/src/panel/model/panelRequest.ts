import type { RequestWay } from '../../../../shared/src/requests/requestWays.ts';
import type { Rank } from '../../../../shared/src/scheduling/rank.ts';
import { barTimes, type ClosedSpan, type LaneBar } from '../../../../shared/src/waterfall/bars.ts';
import { addressOf, type Address, type BrowserRequest, type ResourceKind } from './browserRequest.ts';
import type { Joined } from './join.ts';
import { isNeeded, type ObjectClass, type ObjectClasses } from './objectClass.ts';
import { durations, phasesOf, type Phase } from './phases.ts';
import type { Transfer } from './throughput.ts';

/** A request as every view shows it; times are milliseconds after the navigation's start. */
export interface PanelRequest extends LaneBar, Transfer, Address {
  /** Of the browser's request where there is one, and else of the helper's: the same at each update. */
  readonly key: string;
  /** Null while nobody has told. */
  readonly kind: ResourceKind | null;
  readonly browser: BrowserRequest | null;
  readonly way: RequestWay | null;
  readonly objectClass: ObjectClass;
  /** Where its image stands now; null for what is no image, or was not told of. */
  readonly place: Rank | null;
  readonly phases: readonly Phase[];
  /** Since when it is drawn. */
  readonly beginMs: number;
  /** Asked for before the browser did. */
  readonly isForeseen: boolean;
}

/** What is known of the load beside its requests; times of the wall clock. */
export interface LoadView {
  readonly startMs: number;
  /** The end of what has not ended. */
  readonly nowMs: number;
  readonly classes: ObjectClasses;
  readonly places: ReadonlyMap<string, Rank>;
  /** While the gate held each URL. */
  readonly held: ReadonlyMap<string, readonly ClosedSpan[]>;
}

/** A model is made anew several times a second: what a URL says is read once. */
const addresses = new WeakMap<object, Address>();

function knownAddressOf({ browser, way }: Joined): Address {
  const source = browser ?? way ?? { url: '' };
  const known = addresses.get(source);
  if (known !== undefined) return known;
  const address = addressOf(source.url);
  addresses.set(source, address);
  return address;
}

export function panelRequest(each: Joined, { startMs, nowMs, classes, places, held }: LoadView): PanelRequest {
  const { browser, way } = each;
  const { url, server, name } = knownAddressOf(each);
  const phases = phasesOf(each, held.get(url) ?? [], nowMs).map(({ kind, fromMs, toMs }) => ({ kind, fromMs: fromMs - startMs, toMs: toMs - startMs }));
  const beginMs = phases[0]?.fromMs ?? (browser?.startMs ?? startMs) - startMs;
  const endMs = phases.at(-1)?.toMs ?? beginMs;
  const lasts = durations(phases);
  const sentMs = beginMs + lasts.gate + lasts.queue + lasts.connect;
  const objectClass = classes.of(url, each);
  const times = barTimes({ startMs: sentMs, firstByteMs: way === null ? sentMs + lasts.wait : null, endMs }, way === null ? null : since(way, startMs));
  return {
    ...times,
    waitFromMs: beginMs < times.startMs ? beginMs : null,
    key: browser === null ? `w${way?.request ?? ''}` : `b${browser.id}`,
    url, server, name, objectClass, phases, browser, way, beginMs,
    kind: browser?.kind ?? null,
    connection: way !== null && way.connection !== null ? `h${way.connection}` : (browser?.connection ?? ''),
    bytes: browser?.isCached === true ? 0 : Math.max(browser?.transferBytes ?? 0, way?.bytes ?? 0),
    isNeeded: isNeeded(objectClass),
    place: places.get(url) ?? null,
    isForeseen: way !== null && way.foreseenMs !== null,
  };
}

/** The way with times after the navigation's start. */
function since(way: RequestWay, startMs: number): RequestWay {
  const after = (ms: number | null): number | null => (ms === null ? null : ms - startMs);
  return { ...way, sentMs: after(way.sentMs), foreseenMs: after(way.foreseenMs), askedMs: after(way.askedMs), firstByteMs: after(way.firstByteMs), stops: way.stops.map(({ fromMs, toMs }) => ({ fromMs: fromMs - startMs, toMs: after(toMs) })) };
}
