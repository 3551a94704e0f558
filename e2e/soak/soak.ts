import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { inOwnNamespaces } from '../hostile/place.ts';
import type { BrowserName, Mode } from '../hostile/mode.ts';
import type { Fault, Moment } from './plan.ts';

export interface Load {
  readonly number: number;
  readonly browser: BrowserName;
  readonly mode: Mode;
  /** `end`: what was found when the browser had been closed. */
  readonly fault: Fault | 'end';
  readonly moment: Moment | null;
  /** Empty: the load was as stock's. */
  readonly violations: readonly string[];
  /** How many objects it has lost that are excused (excuses.ts). */
  readonly excused: number;
}

/** Of a process: a load, or that it wants the place of its next turn. */
export type WorkerMessage = Load | 'free';

/** At once: two cores, and most of a load is waiting. */
const WORKERS = 2;

/** Loads small pages, each with a fault, in processes with a network of their own. @throws when one of them fails */
export async function soak(loads: number, seed: number, report: (load: Load) => void): Promise<void> {
  let turn = 0;
  await Promise.all(Array.from({ length: WORKERS }, () => work(loads, seed, () => turn++, report)));
}

/** @param nextTurn the place of the turn that a process takes when it is free */
async function work(loads: number, seed: number, nextTurn: () => number, report: (load: Load) => void): Promise<void> {
  const [program, ...args] = inOwnNamespaces([process.execPath, path.join(import.meta.dirname, 'worker.ts'), String(loads), String(seed)]);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', (message: WorkerMessage) => (message === 'free' ? child.send(nextTurn()) : report(message)));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the soak ended with ${String(code)}: its last words stand above`);
}
