import type { ClosedSpan } from '../../../../shared/src/waterfall/bars.ts';
import type { Joined } from './join.ts';

/**
 * What a request is doing: held by the gate; waiting for its turn, in the browser or the helper; waiting for a connection;
 * sent, without an answer; coming; stopped in mid-flight, as what is more urgent has the link; come, and waiting in the
 * helper for the browser to ask.
 */
export const PHASE_KINDS = ['gate', 'queue', 'connect', 'wait', 'transfer', 'stop', 'kept'] as const;
export type PhaseKind = (typeof PHASE_KINDS)[number];

export interface Phase extends ClosedSpan {
  readonly kind: PhaseKind;
}

/**
 * A request's time, without a gap from its beginning to its end; by the clock of what it is made of.
 *
 * @param held while the gate held it
 * @param nowMs the end of what has not ended
 */
export function phasesOf({ browser, way }: Joined, held: readonly ClosedSpan[], nowMs: number): Phase[] {
  const known = [browser?.startMs, way?.foreseenMs, way?.askedMs, way?.sentMs].filter((ms) => ms !== undefined && ms !== null);
  const fromMs = Math.min(...known);
  const endMs = Math.max(fromMs, browser?.endMs ?? way?.endMs ?? nowMs);
  if (way === null) return browser === null ? [] : overlay(inSequence(fromMs, browserSteps(browser.timings, fromMs, endMs)), 'gate', held, ['queue']);
  const sentMs = way.sentMs ?? endMs;
  const firstByteMs = way.firstByteMs ?? way.headMs ?? endMs;
  const askedMs = Math.min(way.askedMs ?? endMs, browser?.startMs ?? endMs);
  const steps: [PhaseKind, number][] = [['queue', sentMs], ['wait', firstByteMs], ['transfer', way.endMs ?? endMs], ['kept', askedMs], ['transfer', endMs]];
  const waits = way.waits.flatMap(({ fromMs: sinceMs, reason }, place) => (reason === 'connection' ? [{ fromMs: sinceMs, toMs: way.waits[place + 1]?.fromMs ?? sentMs }] : []));
  const stops = way.stops.map((stop) => ({ fromMs: stop.fromMs, toMs: stop.toMs ?? endMs }));
  const cut = inSequence(fromMs, steps.map(([kind, toMs]) => [kind, Math.min(toMs, endMs)]));
  return overlay(overlay(overlay(cut, 'connect', waits, ['queue']), 'gate', held, ['queue', 'connect']), 'stop', stops, ['transfer', 'wait']);
}

/** How long each kind lasts in all. */
export function durations(phases: readonly Phase[]): Record<PhaseKind, number> {
  const sums: Record<PhaseKind, number> = { gate: 0, queue: 0, connect: 0, wait: 0, transfer: 0, stop: 0, kept: 0 };
  for (const { kind, fromMs, toMs } of phases) sums[kind] += toMs - fromMs;
  return sums;
}

function browserSteps({ blocked, dns, connect, send, wait }: NonNullable<Joined['browser']>['timings'], fromMs: number, endMs: number): [PhaseKind, number][] {
  const queuedMs = fromMs + (blocked ?? 0);
  const connectedMs = queuedMs + (dns ?? 0) + (connect ?? 0);
  const firstByteMs = connectedMs + (send ?? 0) + (wait ?? 0);
  return [['queue', Math.min(queuedMs, endMs)], ['connect', Math.min(connectedMs, endMs)], ['wait', Math.min(firstByteMs, endMs)], ['transfer', endMs]];
}

/** Each begins where the one before has ended; what takes no time is left out. */
function inSequence(fromMs: number, steps: readonly (readonly [PhaseKind, number])[]): Phase[] {
  const phases: Phase[] = [];
  let since = fromMs;
  for (const [kind, toMs] of steps) {
    if (toMs <= since) continue;
    phases.push({ kind, fromMs: since, toMs });
    since = toMs;
  }
  return phases;
}

/** Parts of phases that are really something else. @param over which kinds can be */
function overlay(phases: readonly Phase[], kind: PhaseKind, spans: readonly ClosedSpan[], over: readonly PhaseKind[]): Phase[] {
  let result: readonly Phase[] = phases;
  for (const span of spans) {
    result = result.flatMap((phase) => {
      const [fromMs, toMs] = [Math.max(phase.fromMs, span.fromMs), Math.min(phase.toMs, span.toMs)];
      if (!over.includes(phase.kind) || fromMs >= toMs) return [phase];
      return inSequence(phase.fromMs, [[phase.kind, fromMs], [kind, toMs], [phase.kind, phase.toMs]]);
    });
  }
  return [...result];
}
