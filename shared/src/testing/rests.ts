import type { Interval } from './simulatedLink.ts';
import type { SimulatedLoad, SimulatedTransfer } from './simulatedLoad.ts';

/**
 * How long the link brought nothing within an interval in which an object was waited for, rest by rest, without what no
 * scheduler can mend: the first handshake with the object's server, and while any server takes its time over an answer.
 */
export function restsMs(load: SimulatedLoad, transfer: SimulatedTransfer, within: Interval): number[] {
  const rests: Interval[] = [];
  let { fromMs } = within;
  for (const next of [...load.busy, { fromMs: Infinity, toMs: Infinity }]) {
    const rest = { fromMs, toMs: Math.min(next.fromMs, within.toMs) };
    if (rest.toMs > rest.fromMs) rests.push(rest);
    fromMs = Math.max(fromMs, next.toMs);
    if (fromMs >= within.toMs) break;
  }
  const excused = [...thinking(load), ...handshake(load, transfer)];
  return rests.map((rest) => rest.toMs - rest.fromMs - coveredMs(rest, excused));
}

function handshake({ handshakes }: SimulatedLoad, { object }: SimulatedTransfer): Interval[] {
  const first = handshakes.get(object.origin);
  return first === undefined ? [] : [first];
}

function thinking({ transfers, profile: { rttMs } }: SimulatedLoad): Interval[] {
  return transfers.flatMap(({ askedMs, traced: { thinkMs = 0 } }) => {
    const fromMs = askedMs + rttMs / 2;
    return thinkMs > 0 ? [{ fromMs, toMs: fromMs + thinkMs }] : [];
  });
}

/** How much of an interval is in any of others. */
function coveredMs({ fromMs, toMs }: Interval, by: readonly Interval[]): number {
  let [sum, coveredToMs] = [0, fromMs];
  for (const other of [...by].sort((a, b) => a.fromMs - b.fromMs)) {
    const stopMs = Math.min(toMs, other.toMs);
    sum += Math.max(0, stopMs - Math.max(coveredToMs, other.fromMs));
    coveredToMs = Math.max(coveredToMs, stopMs);
  }
  return sum;
}
