import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { endProcess } from '../../../shared/src/node/testing/endProcess.ts';
import { DRIVER } from '../../browsers/executables.ts';
import { BenchError } from '../errors.ts';

const run = promisify(execFile);
const START_LIMIT_MS = 20_000;
const POLL_MS = 20;
const OUTPUT_LIMIT_CHARACTERS = 2_000;

/** What the administrator's file registers (docs/driver.md). */
export interface Registration {
  readonly cgroup?: string;
  readonly remotePorts?: readonly number[];
  readonly localPorts?: readonly number[];
  readonly policy: readonly string[];
}

/** More of that file. */
export interface DriverSettings {
  /** What wireless hops are expected to lose. */
  readonly frameErrorRate?: number;
}

/** A driver in the network namespace of this process, on all its interfaces. */
export class RunningDriver {
  readonly socket: string;
  private readonly directory: string;
  private readonly child: ChildProcess;
  private said = '';

  private constructor(directory: string) {
    this.directory = directory;
    this.socket = socketIn(directory);
    const options = ['--config', join(directory, 'driver.json'), '--socket', this.socket, '--group', 'root', '--user', 'nobody', '--log-level', 'warn'];
    this.child = spawn(DRIVER, ['run', ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
    this.child.stderr?.on('data', (bytes: Buffer) => (this.said = (this.said + bytes.toString()).slice(-OUTPUT_LIMIT_CHARACTERS)));
    this.child.on('error', (error) => (this.said += String(error)));
    process.on('exit', this.kill);
  }

  /** @param own folder of its own, which goes when it stops; by default one is made. @throws BenchError E_DRIVER_START */
  static async start(registrations: readonly Registration[], own?: string, settings: DriverSettings = {}): Promise<RunningDriver> {
    const directory = own ?? (await mkdtemp(join(tmpdir(), 'firstscreen-driver-bench-')));
    await writeFile(join(directory, 'driver.json'), JSON.stringify({ registrations, ...settings }));
    const driver = new RunningDriver(directory);
    for (const until = performance.now() + START_LIMIT_MS; performance.now() < until && driver.child.exitCode === null; ) {
      if (await driver.isAttached(registrations.length > 0)) return driver;
      await sleep(POLL_MS);
    }
    await driver.stop();
    throw new BenchError('E_DRIVER_START', `The driver did not attach: ${driver.said.trim()}`, 'run it as root, by npm, which builds it');
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** What `firstscreen-driverd status --json` prints. */
  async status(): Promise<unknown> {
    return driverStatus(this.socket);
  }

  async stop(): Promise<void> {
    process.off('exit', this.kill);
    await endProcess(this.child, 'SIGTERM');
    await rm(this.directory, { recursive: true, force: true });
  }

  private readonly kill = (): void => {
    this.child.kill('SIGKILL');
    rmSync(this.directory, { recursive: true, force: true });
  };

  /** @param isNeeded whether anything is registered: else it attaches to nothing */
  private async isAttached(isNeeded: boolean): Promise<boolean> {
    try {
      const { stdout } = await run(DRIVER, ['status', '--socket', this.socket]);
      return !isNeeded || /\((tcx|clsact)\)/.test(stdout);
    } catch {
      return false;
    }
  }
}

/** Where a driver answers that has a folder of its own. */
export function socketIn(directory: string): string {
  return join(directory, 'driver.sock');
}

/** What the driver on a socket tells; it may be on the other side of the link. */
export async function driverStatus(socket: string): Promise<unknown> {
  return JSON.parse((await run(DRIVER, ['status', '--socket', socket, '--json'])).stdout);
}
