import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepts } from '../../../shared/src/node/testing/accepts.ts';
import { BenchError } from '../errors.ts';
import { memoryOf, processorMsOf, type ProcessMemory } from './procfs.ts';

const START_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 5_000;
const POLL_MS = 50;

/** What is asked of a process that is measured. */
export interface MeasuredProcess {
  memory(): Promise<ProcessMemory>;
  /** User and kernel, since its start. */
  processorMs(): Promise<number>;
  stop(): Promise<void>;
}

export async function memoryOfProcess(pid: number): Promise<ProcessMemory> {
  return memoryOf(await readFile(`/proc/${pid}/status`, 'utf8'));
}

export async function processorMsOfProcess(pid: number): Promise<number> {
  return processorMsOf(await readFile(`/proc/${pid}/stat`, 'utf8'));
}

/** How long work takes, and what of a processor a process spends meanwhile; null where there is none. */
export async function timed<T>(measured: MeasuredProcess | null, work: () => Promise<T>): Promise<{ result: T; ms: number; processorMs: number | null }> {
  const beforeMs = await measured?.processorMs();
  const startMs = performance.now();
  const result = await work();
  const ms = performance.now() - startMs;
  const afterMs = await measured?.processorMs();
  return { result, ms, processorMs: beforeMs === undefined || afterMs === undefined ? null : afterMs - beforeMs };
}

/** A server or proxy that the benchmark has started. Its stdin is a pipe: whoever ends with it does not outlive the benchmark. */
export class BenchProcess implements MeasuredProcess {
  private readonly child: ChildProcess;
  private readonly command: string;
  private stderr = '';

  private constructor(command: string, options: readonly string[]) {
    this.command = command;
    this.child = spawn(command, options, { stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stderr?.on('data', (bytes: Buffer) => (this.stderr = (this.stderr + bytes.toString()).slice(-2_000)));
    this.child.stdin?.on('error', () => undefined);
    this.child.on('error', () => undefined);
    process.on('exit', this.kill);
  }

  /** Starts a process that tells one JSON line when it is ready. @returns it and that line @throws BenchError E_START */
  static async withLine(command: string, options: readonly string[]): Promise<{ process: BenchProcess; line: unknown }> {
    const started = new BenchProcess(command, options);
    const { stdout } = started.child;
    if (stdout === null) throw started.failure('it has no stdout');
    const lines = createInterface({ input: stdout });
    const first = once(lines, 'line') as Promise<[string]>;
    const ended = once(started.child, 'close').then(() => null);
    const answer = await Promise.race([first, ended, sleep(START_LIMIT_MS, null, { ref: false })]).catch(() => null);
    if (answer === null) throw started.failure('it said nothing');
    return { process: started, line: JSON.parse(answer[0]) };
  }

  /** Starts a process that listens on a port of loopback. @throws BenchError E_START */
  static async withPort(command: string, options: readonly string[], port: number): Promise<BenchProcess> {
    const started = new BenchProcess(command, options);
    started.child.stdout?.resume();
    const deadlineMs = performance.now() + START_LIMIT_MS;
    while (performance.now() < deadlineMs && started.isRunning) {
      if (await accepts(port)) return started;
      await sleep(POLL_MS);
    }
    throw started.failure('it does not listen');
  }

  async memory(): Promise<ProcessMemory> {
    return memoryOfProcess(this.pid);
  }

  async processorMs(): Promise<number> {
    return processorMsOfProcess(this.pid);
  }

  async stop(): Promise<void> {
    process.off('exit', this.kill);
    if (!this.isRunning) return;
    const closed = once(this.child, 'exit');
    this.child.stdin?.end();
    this.child.kill('SIGTERM');
    if ((await Promise.race([closed, sleep(STOP_LIMIT_MS, null)])) === null) this.kill();
  }

  private readonly kill = (): void => {
    this.child.kill('SIGKILL');
  };

  private get pid(): number {
    if (this.child.pid === undefined) throw this.failure('it did not start');
    return this.child.pid;
  }

  private get isRunning(): boolean {
    return this.child.pid !== undefined && this.child.exitCode === null && this.child.signalCode === null;
  }

  private failure(why: string): BenchError {
    this.kill();
    return new BenchError('E_START', `Starting ${this.command}: ${why}. It wrote: ${this.stderr.trim() || 'nothing'}`, 'run the command by hand to see why');
  }
}
