import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { TRANSFERS } from '../../../browsers/executables.ts';
import { BenchError } from '../../errors.ts';
import { linkOptions } from '../../linkOptions.ts';
import { FAR_ADDRESS, inNearNetwork } from '../overLink.ts';
import type { SpoolOptions } from './options.ts';
import { SideResult, type Pattern, type SidePlan, type Way } from './plan.ts';

const PORT = '8081';
/** Seconds of reading, seconds of a stop, stops. */
const TURNS: Readonly<Record<Pattern, readonly string[]>> = {
  steady: [],
  halts: ['--on', '6', '--off', '20', '--stops', '1'],
  'on-off': ['--on', '2', '--off', '6', '--stops', '-1'],
};

/** What is compared, all but the way. */
export interface Condition {
  readonly loss: number;
  readonly congestion: string;
  readonly pattern: Pattern;
  readonly receiveBuffer: number | null;
}

export interface SpoolPlan extends Condition {
  readonly way: Way;
  /** The same for both ways of a pair. */
  readonly round: number;
}

export type SpoolRun = SpoolPlan & SideResult;

let runs = 0;

/** One start of the link, with one transfer over it. @throws BenchError E_LINK_RUN, E_NOT_SPOOLED */
export async function runTransfer(plan: SpoolPlan, { profile, link, bytes, seed }: SpoolOptions): Promise<SpoolRun> {
  const { loss, congestion, pattern, receiveBuffer, way, round } = plan;
  runs += 1;
  const cgroup = `firstscreen-bench-${process.pid}-${runs}`;
  const reader = ['read', '--host', FAR_ADDRESS, '--port', PORT, '--bytes', String(bytes), '--receive-buffer', String(receiveBuffer ?? 0), ...TURNS[pattern]];
  const near = (directory: string): SidePlan => ({ way, cgroup, directory, reader: [TRANSFERS, ...reader] });
  // the driver tells processes apart, and opens a spool, by the machine's own numbers of them alone
  const stdout = await inNearNetwork({
    options: [...linkOptions(profile), '--loss', String(loss), ...link],
    seed: seed + round,
    commands: (directory) => ({
      near: [process.execPath, join(import.meta.dirname, 'side.ts'), JSON.stringify(near(directory))],
      far: [TRANSFERS, 'serve', '--port', PORT, '--congestion', congestion],
    }),
  });
  const result = v.parse(SideResult, JSON.parse(stdout));
  if (result.redirected !== (way === 'spool' ? 1 : 0)) throw new BenchError('E_NOT_SPOOLED', `${result.redirected} connections were led into the spool`, 'see firstscreen-driverd status');
  return { ...plan, ...result };
}
