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
}

/** Loads one small page after the other, each with a fault, in a process with a network of its own. @throws when that process fails */
export async function soak(loads: number, seed: number, report: (load: Load) => void): Promise<void> {
  const [program, ...args] = inOwnNamespaces([process.execPath, path.join(import.meta.dirname, 'worker.ts'), String(loads), String(seed)]);
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', (load) => report(load as Load));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`the soak ended with ${String(code)}: its last words stand above`);
}
