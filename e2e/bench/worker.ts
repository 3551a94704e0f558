/**
 * Runs inside the link's near namespace: `worker.ts PLAN.json`. Loads every page of the plan with every scheme and tells the supervisor
 * on stdout, one JSON object a line. Ends early, cleanly, on SIGTERM or when the supervisor is gone (end of stdin).
 */
import { readFile, rm } from 'node:fs/promises';
import * as v from 'valibot';
import { BenchError } from './errors.ts';
import { HostingControl, LinkControl } from '../metrics/testbed.ts';
import { runPlan } from './runPlan.ts';
import { WorkerPlan, type WorkerMessage } from './workerMessages.ts';

function tell(message: WorkerMessage): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

async function main(planFile: string): Promise<void> {
  const plan = v.parse(WorkerPlan, JSON.parse(await readFile(planFile, 'utf8')));
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stop.abort());
  const supervisor = { gone: false };
  const orphaned = () => {
    supervisor.gone = true;
    stop.abort();
  };
  process.stdin.on('end', orphaned).on('error', orphaned).resume();
  // Nobody reads any more: finishing matters, telling does not.
  process.stdout.on('error', orphaned);
  const link = new LinkControl(plan.linkSocket);
  const hosting = new HostingControl(plan.hostingSocket);
  try {
    const reason = await runPlan(plan, { link, hosting, tell, signal: stop.signal });
    tell({ type: 'end', reason, link: await link.report() });
  } catch (error) {
    tell({ type: 'fatal', ...coded(error) });
    process.exitCode = 1;
  }
  // Usually the supervisor does this, after the whole tree has ended.
  if (supervisor.gone) await rm(plan.temporaryDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  // stdin would keep the process.
  process.stdin.destroy();
}

function coded(error: unknown): { code: string; message: string; next: string } {
  if (error instanceof BenchError) return { code: error.code, message: error.message, next: error.next };
  return { code: 'E_WORKER', message: error instanceof Error ? (error.stack ?? error.message) : String(error), next: 'this is a defect of the bench: see testbed.log in the output directory' };
}

await main(process.argv[2] ?? '');
