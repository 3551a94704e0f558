import type { FirstScreenTiming } from '../../../../shared/src/protocol/firstScreenTimingSchema.ts';
import type { CarriedBytes, DropReason, EndReason, Measurement, MeasuringOptions, PlannedLoad, Side } from '../../messages/measuring.ts';
import { withoutFragment } from '../../urls/imageUrls.ts';

/** Of one load, with which a page of some megabytes on a slow link is at rest. */
const LOAD_LIMIT_MS = 180_000;
const REST_LIMIT_MS = 120_000;
/** The helper answers in seconds, or not at all. */
const PREPARE_LIMIT_MS = 30_000;
const TIME_LIMIT_MS = 3_600_000;
/** As in the benchmark: what fails is tried once more. */
const MAX_ATTEMPTS = 2;
/** So many loads one after the other, of at least two pairs: those that follow would cost data for nothing. */
const HOPELESS_DROPS = 4;

/** What happens to a measurement. */
export type MeasuringEvent =
  /** What the state wants is in force, or can not be. */
  | { readonly type: 'applied'; readonly isInForce: boolean }
  | { readonly type: 'opened'; readonly tabId: number }
  /** Nothing uses the network that the browser shows. */
  | { readonly type: 'rested' }
  | { readonly type: 'measured'; readonly load: number; readonly url: string; readonly timing: FirstScreenTiming; readonly bytes: number; readonly carried: CarriedBytes; readonly hadOtherTraffic: boolean }
  /** The tab's page could not be loaded, or could not begin without connections. */
  | { readonly type: 'failed'; readonly reason: 'failed' | 'warm' }
  | { readonly type: 'ticked'; readonly isSeen: boolean }
  /** The user lets it go on, whatever it costs. */
  | { readonly type: 'allowed' }
  | { readonly type: 'ends'; readonly why: EndReason }
  /** The background script has ended, and is there again. */
  | { readonly type: 'restarted' };

/** What is to be done. */
export type MeasuringCommand =
  /** Bring into force what `sideOf` says of the state. */
  | { readonly type: 'apply' }
  | { readonly type: 'open'; readonly url: string }
  /** Load the tab's page anew, past the cache, and, where that is wanted, without connections. */
  | { readonly type: 'load'; readonly tabId: number; readonly isCold: boolean }
  | { readonly type: 'close'; readonly tabId: number };

export interface Step {
  readonly state: Measurement;
  readonly commands: readonly MeasuringCommand[];
}

const APPLY: MeasuringCommand = { type: 'apply' };

/** The side that has to be in force; null for the user's own settings. */
export function sideOf({ phase, plan }: Measurement): Side | null {
  if (phase.name === 'opening') return 'without';
  return phase.name === 'ended' || phase.name === 'asking' ? null : (plan[phase.place]?.side ?? null);
}

export function begin(url: string, plan: readonly PlannedLoad[], options: MeasuringOptions, asks: boolean, nowMs: number): Step {
  const state: Measurement = {
    url: withoutFragment(url), options, asks, startedMs: nowMs, waitedMs: 0, plan, phase: { name: 'opening', sinceMs: nowMs }, tabId: null, isSeen: true, load: 0, bytesPerLoad: null, counted: [], dropped: [],
  };
  return { state, commands: [APPLY] };
}

/**
 * What a measurement comes to by an event, and what is to be done then. Pure. One load at a time; each one that is begun
 * ends in `counted` or, with its reason, in `dropped`; at the end the user's own settings are applied.
 */
export function advance(state: Measurement, event: MeasuringEvent, nowMs: number): Step {
  const { phase } = state;
  if (phase.name === 'ended') return stay(state);
  switch (event.type) {
    case 'ends':
      return end(state, event.why);
    case 'ticked':
      return ticked({ ...state, isSeen: event.isSeen }, nowMs);
    case 'restarted':
      return restarted(state, nowMs);
    case 'applied':
      if (phase.name === 'opening') return event.isInForce ? { state, commands: [{ type: 'open', url: state.url }] } : end(state, 'notBegun');
      if (phase.name !== 'preparing') return stay(state);
      return event.isInForce ? stay({ ...state, phase: { ...phase, name: 'resting', sinceMs: nowMs } }) : drop(state, 'notInForce', nowMs);
    case 'opened':
      return phase.name === 'opening' ? prepare({ ...state, tabId: event.tabId }, 0, 1, nowMs) : stay(state);
    case 'rested':
      if (phase.name !== 'resting' || state.tabId === null || !state.isSeen) return stay(state);
      return { state: { ...state, load: state.load + 1, phase: { ...phase, name: 'loading', sinceMs: nowMs } }, commands: [{ type: 'load', tabId: state.tabId, isCold: state.options.isCold }] };
    case 'measured':
      return phase.name === 'loading' && event.load === state.load ? measured(state, event, nowMs) : stay(state);
    case 'failed':
      return phase.name === 'loading' ? drop(state, event.reason, nowMs) : stay(state);
    case 'allowed':
      return phase.name === 'asking' ? prepare({ ...state, asks: false, waitedMs: state.waitedMs + nowMs - phase.sinceMs }, phase.place, phase.attempt, nowMs) : stay(state);
  }
}

function stay(state: Measurement): Step {
  return { state, commands: [] };
}

function measured(state: Measurement, { url, timing, bytes, carried, hadOtherTraffic }: Extract<MeasuringEvent, { type: 'measured' }>, nowMs: number): Step {
  const heard = { ...state, bytesPerLoad: bytes };
  const planned = plannedOf(state);
  if (planned === null) return stay(state);
  if (hadOtherTraffic) return drop(heard, 'otherTraffic', nowMs);
  if (withoutFragment(url) !== state.url) return drop(heard, 'redirected', nowMs);
  if (timing.outcome === 'void') return drop(heard, timing.reason, nowMs);
  const { pair, side, place } = planned;
  if (pair === 0) return drop(heard, 'first', nowMs);
  const { isrtMs, fcpMs, lcpMs } = timing;
  return goOn({ ...heard, counted: [...state.counted, { pair, side, load: state.load, isrtMs, fcpMs, lcpMs, carried }] }, place + 1, nowMs);
}

/** The load that is to be made, or is under way, counts for nothing. */
function drop(state: Measurement, reason: DropReason, nowMs: number): Step {
  const planned = plannedOf(state);
  if (planned === null) return stay(state);
  const { pair, side, place, attempt } = planned;
  // one that could not be begun has a number, too
  const load = state.phase.name === 'loading' ? state.load : state.load + 1;
  const next = { ...state, load, dropped: [...state.dropped, { pair, side, load, reason }] };
  if (reason === 'first') return goOn(next, place + 1, nowMs);
  if (isHopeless(next)) return finish(next, 'unmeasurable');
  // the other load of a pair would be in vain
  return attempt < MAX_ATTEMPTS ? prepare(next, place, attempt + 1, nowMs) : goOn(next, placeAfterPair(next, place), nowMs);
}

function goOn(state: Measurement, place: number, nowMs: number): Step {
  if (place >= state.plan.length) return finish(state, 'complete');
  if (state.asks) return { state: { ...state, phase: { name: 'asking', place, attempt: 1, sinceMs: nowMs } }, commands: [APPLY] };
  return prepare(state, place, 1, nowMs);
}

function prepare(state: Measurement, place: number, attempt: number, nowMs: number): Step {
  return { state: { ...state, phase: { name: 'preparing', place, attempt, sinceMs: nowMs } }, commands: [APPLY] };
}

function ticked(state: Measurement, nowMs: number): Step {
  const { phase, isSeen } = state;
  if (phase.name === 'ended') return stay(state);
  if (nowMs - state.startedMs > TIME_LIMIT_MS) return end(state, 'timeLimit');
  const forMs = nowMs - phase.sinceMs;
  if (phase.name === 'opening' && forMs > PREPARE_LIMIT_MS) return end(state, 'notBegun');
  if (phase.name === 'preparing' && forMs > PREPARE_LIMIT_MS) return drop(state, 'notInForce', nowMs);
  if (phase.name === 'loading' && forMs > LOAD_LIMIT_MS) return drop(state, 'timeout', nowMs);
  // it waits for the user, not for the network
  if (phase.name === 'resting' && !isSeen) return stay({ ...state, waitedMs: state.waitedMs + forMs, phase: { ...phase, sinceMs: nowMs } });
  return phase.name === 'resting' && forMs > REST_LIMIT_MS ? end(state, 'noRest') : stay(state);
}

function restarted(state: Measurement, nowMs: number): Step {
  const { phase } = state;
  if (phase.name === 'loading') return drop(state, 'scriptEnded', nowMs);
  if (phase.name === 'preparing' || phase.name === 'resting') return prepare(state, phase.place, phase.attempt, nowMs);
  // whether its tab was opened nobody knows
  return phase.name === 'opening' ? end(state, 'notBegun') : stay(state);
}

/** Before its time: what is under way counts for nothing. */
function end(state: Measurement, why: EndReason): Step {
  const { phase } = state;
  const planned = phase.name === 'loading' ? state.plan[phase.place] : undefined;
  return finish(planned === undefined ? state : { ...state, dropped: [...state.dropped, { ...planned, load: state.load, reason: 'ended' }] }, why);
}

function finish(state: Measurement, why: EndReason): Step {
  const { tabId } = state;
  const close: MeasuringCommand[] = tabId === null || why === 'tabClosed' ? [] : [{ type: 'close', tabId }];
  return { state: { ...state, phase: { name: 'ended', why } }, commands: [APPLY, ...close] };
}

/** The load that it is at. */
function plannedOf({ phase, plan }: Measurement): (PlannedLoad & { readonly place: number; readonly attempt: number }) | null {
  if (phase.name === 'opening' || phase.name === 'ended') return null;
  const planned = plan[phase.place];
  return planned === undefined ? null : { ...planned, place: phase.place, attempt: phase.attempt };
}

function placeAfterPair({ plan }: Measurement, place: number): number {
  const pair = plan[place]?.pair ?? 0;
  const next = plan.findIndex((load) => load.pair > pair);
  return next === -1 ? plan.length : next;
}

function isHopeless({ counted, dropped }: Measurement): boolean {
  const last = counted.at(-1)?.load ?? 0;
  return dropped.filter(({ load, reason }) => load > last && reason !== 'first').length >= HOPELESS_DROPS;
}
