import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { RunningDriver, socketIn } from '../bench/driver/runningDriver.ts';
import type { BedBrowser } from '../hostile/bedBrowser.ts';
import { helperPids } from '../browsers/helperProcesses.ts';
import { until } from '../browsers/until.ts';
import { pidFileOf } from '../hostile/bedHelper.ts';
import type { Mode } from '../hostile/mode.ts';
import { changeAddress, linkDown, linkUp } from '../hostile/place.ts';
import { carries } from '../hostile/settings.ts';
import type { Fault } from './plan.ts';

const ENDED_LIMIT_MS = 5_000;
const REGISTERED_LIMIT_MS = 20_000;
/** Long enough for a retransmission to be lost, and far below what TCP and browsers wait. */
const LINK_LOST_MS = 400;

export interface FaultPlace {
  readonly mode: Mode;
  /** Of the browser and its helper. */
  readonly dir: string;
  /** Whether a driver runs. */
  readonly hasDriver: boolean;
}

interface DriverStatus {
  /** By kind; none of what nobody has registered. */
  readonly registered: { readonly process?: number };
}

/** Makes faults, and fails where one could not be made. */
export class FaultMaker {
  private readonly place: FaultPlace;
  private readonly driverDir: string;
  private driver: RunningDriver | null = null;

  constructor(place: FaultPlace) {
    this.place = place;
    this.driverDir = path.join(place.dir, 'driver');
  }

  /** Before the browser starts. */
  async begin(): Promise<void> {
    if (!this.place.hasDriver) return;
    // the helper's environment is the browser's, which is this process's
    process.env['FIRSTSCREEN_DRIVER_SOCKET'] = socketIn(this.driverDir);
    await this.startDriver();
  }

  async end(): Promise<void> {
    delete process.env['FIRSTSCREEN_DRIVER_SOCKET'];
    await this.driver?.stop();
  }

  async make(fault: Fault, browser: BedBrowser): Promise<void> {
    if (fault === 'addressChanged') changeAddress();
    if (fault === 'linkLost') {
      linkDown();
      await sleep(LINK_LOST_MS);
      linkUp();
    }
    if (this.place.mode === 'stock') return;
    if (fault === 'workerStopped') await browser.stopWorker();
    if (fault === 'popupToggled') await browser.toggle();
    if (fault === 'helperKilled') await kill(this.helperPid(), 'firstscreen-helper');
    if (fault === 'driverKilled') await kill(this.driver?.pid ?? 0, 'firstscreen-driverd');
  }

  private helperPid(): number {
    return helperPids(pidFileOf(path.join(this.place.dir, 'helper-state'))).at(-1) ?? 0;
  }

  /** Until everything works again after a fault, so that the next load has something to lose. */
  async recover(fault: Fault, browser: BedBrowser): Promise<void> {
    // the extension leaves a helper that was lost alone for ten seconds; a new background script does not know
    if (fault === 'helperKilled') await browser.stopWorker();
    if (this.driver !== null && !isRunning(this.driver.pid)) {
      await this.driver.stop();
      await this.startDriver();
    }
    await browser.inForce();
    if (carries(this.place.mode)) commandOf(this.helperPid(), 'firstscreen-helper');
    const { driver } = this;
    if (driver === null) return;
    await until(async () => {
      // a helper that is asked for its state looks for the driver
      await browser.inForce();
      return ((await driver.status()) as DriverStatus).registered.process !== undefined;
    }, 'a helper has registered with the driver', REGISTERED_LIMIT_MS);
  }

  private async startDriver(): Promise<void> {
    mkdirSync(this.driverDir, { recursive: true });
    this.driver = await RunningDriver.start([], this.driverDir);
  }
}

async function kill(pid: number, program: string): Promise<void> {
  commandOf(pid, program);
  process.kill(pid, 'SIGKILL');
  await until(() => !isRunning(pid), `${program} ${pid} has ended`, ENDED_LIMIT_MS);
}

/** @throws when the process is none of the program */
function commandOf(pid: number, program: string): void {
  if (!isRunning(pid) || !readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(program)) throw new Error(`no ${program} runs as ${pid}`);
}

/** A zombie does not run, unless threads of it still do: whoever started it has not asked for its end yet. */
function isRunning(pid: number): boolean {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return pid > 0 && !(/^State:\s+Z/m.test(status) && /^Threads:\s+[01]$/m.test(status));
  } catch {
    return false;
  }
}
