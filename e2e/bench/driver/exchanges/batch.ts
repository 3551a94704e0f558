import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { FARTHER_ADDRESS, fartherOptions, linkOptions } from '../../linkOptions.ts';
import { FAR_ADDRESS, overLink } from '../overLink.ts';
import type { Ends, ExchangesOptions, Kind } from './options.ts';

const CopiesSchema = v.object({ copies: v.number(), copyBytes: v.number() });
const LineSchema = v.union([
  v.strictObject({ host: v.string(), ms: v.number(), failed: v.optional(v.string()) }),
  v.strictObject({ status: v.object({ counters: v.object({ rar: CopiesSchema }) }) }),
]);

interface BatchPlan {
  readonly kind: Kind;
  readonly ends: Ends;
  /** The same for all ends of one round. */
  readonly round: number;
}

/** The server at the link's far end, and the one that is farther away. */
export type Server = 'near' | 'farther';

export interface Exchange {
  readonly server: Server;
  readonly ms: number;
  /** Why it was none. */
  readonly failed?: string | undefined;
}

export interface Batch extends BatchPlan {
  readonly exchanges: readonly Exchange[];
  /** Of the near driver. */
  readonly copies: number;
  readonly copyBytes: number;
}

/** One start of the link, with exchanges over it. @throws BenchError E_LINK_RUN */
export async function runBatch({ kind, ends, round }: BatchPlan, { profile, link, batch, fartherMs, seed }: ExchangesOptions): Promise<Batch> {
  const side = [process.execPath, join(import.meta.dirname, 'side.ts')];
  const isOne = fartherMs === 0;
  const near = [...side, 'near', ends === 'none' ? 'plain' : 'driver', isOne ? FAR_ADDRESS : `${FAR_ADDRESS},${FARTHER_ADDRESS}`, kind, String(batch)];
  const stdout = await overLink({
    options: [...linkOptions(profile), ...(isOne ? [] : fartherOptions(fartherMs)), ...link],
    seed: seed + round,
    commands: (directory) => ({ near, far: [...side, 'far', ends === 'both' ? 'driver' : 'plain', directory] }),
  });
  return { kind, ends, round, ...parseOutput(stdout) };
}

function parseOutput(stdout: string): Omit<Batch, keyof BatchPlan> {
  const lines = stdout.trim().split('\n').map((line) => v.parse(LineSchema, JSON.parse(line)));
  const exchanges = lines.flatMap((line): Exchange[] => ('ms' in line ? [{ server: line.host === FAR_ADDRESS ? 'near' : 'farther', ms: line.ms, failed: line.failed }] : []));
  const rar = lines.flatMap((line) => ('status' in line ? [line.status.counters.rar] : []))[0];
  return { exchanges, copies: rar?.copies ?? 0, copyBytes: rar?.copyBytes ?? 0 };
}
