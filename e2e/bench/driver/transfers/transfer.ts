import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import { median } from '../../../../shared/src/statistics/statistics.ts';
import { mbitPerSecond, total } from '../comparison.ts';
import { overLink } from '../overLink.ts';
import { Counted, Flow, PLAN_FILE, type SidePlan } from './plan.ts';

export interface TransferPlan extends SidePlan {
  /** Options of firstscreen-link. */
  readonly link: readonly string[];
}

export interface Transfer extends Counted {
  readonly flows: readonly Flow[];
}

/** Flows over one start of the link. @throws BenchError E_LINK_RUN */
export async function transfer({ link, ...plan }: TransferPlan): Promise<Transfer> {
  const side = [process.execPath, join(import.meta.dirname, 'side.ts')];
  const stdout = await overLink({
    options: link, seed: plan.seed,
    commands: async (directory) => {
      await writeFile(join(directory, PLAN_FILE), JSON.stringify(plan satisfies SidePlan));
      return { near: [...side, 'near', directory], far: [...side, 'far', directory] };
    },
  });
  return parseTransfer(stdout);
}

/** @param stdout a flow a line, and last what was counted. Pure. */
export function parseTransfer(stdout: string): Transfer {
  const lines = stdout.trim().split('\n').map((line) => JSON.parse(line) as unknown);
  return { flows: lines.slice(0, -1).map((line) => v.parse(Flow, line)), ...v.parse(Counted, lines.at(-1)) };
}

/** How late the links delivered packets, at worst: the machine's part in the numbers. Pure. */
export function latenessText(runs: readonly { readonly link: Pick<Counted['link'], 'lateness'> }[]): string {
  const ms = runs.map(({ link }) => link.lateness.p99Us / US_PER_MS);
  return `links late by ${median(ms).toFixed(1)} ms (p99; median of runs), at most ${Math.max(...ms).toFixed(1)} ms`;
}

const US_PER_MS = 1_000;

/** Of all these flows together, in Mbit/s. */
export function throughput(flows: readonly Flow[], bytes: (flow: Flow) => number): number {
  return total(flows.map((flow) => mbitPerSecond(bytes(flow), flow.seconds)));
}
