import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { endProcess } from '../../../shared/src/node/testing/endProcess.ts';
import { freePort } from '../../../shared/src/node/testing/freePort.ts';
import { BENCH_RELAY } from '../../browsers/executables.ts';
import { helperEnvironment } from '../../browsers/extension.ts';
import { PUBLIC_SERVERS } from '../../relay/helperOfTests.ts';
import { addRelay, makePairing } from '../../relay/pairing.ts';
import { Line } from './line.ts';
import { MODES, type Mode } from './plan.ts';

/** A relay that can be killed and started again, the line to it, and a home for each mode whose helper has it. */
export class FarEnd {
  readonly line: Line;
  private readonly directory: string;
  private child: ChildProcess | null = null;
  /** It does not outlive who has started it. */
  private readonly kill = (): void => void this.child?.kill('SIGKILL');

  private constructor(directory: string, line: Line) {
    [this.directory, this.line] = [directory, line];
    process.on('exit', this.kill);
  }

  static async start(directory: string): Promise<FarEnd> {
    const port = await freePort();
    const pairing = await makePairing(path.join(directory, 'relay'), `127.0.0.1:${port}`);
    const self = new FarEnd(directory, await Line.to(port));
    for (const mode of MODES) {
      mkdirSync(path.join(self.home(mode), 'own'), { recursive: true });
      addRelay(path.join(self.home(mode), 'config'), pairing, { host: '127.0.0.1', port: self.line.port, terminates: mode === 'terminated' });
    }
    await self.up();
    return self;
  }

  /** Of the helpers of a mode. */
  environment(mode: Mode): Readonly<Record<string, string>> {
    const [home, own] = [this.home(mode), path.join(this.home(mode), 'own')];
    return { ...helperEnvironment(home), XDG_STATE_HOME: own, XDG_CACHE_HOME: own };
  }

  /** Starts it, unless it runs. */
  async up(): Promise<void> {
    if (this.child !== null) return;
    const child = spawn(process.execPath, [BENCH_RELAY, 'serve', '--directory', path.join(this.directory, 'relay')], {
      env: { ...process.env, ...PUBLIC_SERVERS }, stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child = child;
    await once(child.stdout, 'data');
  }

  async down(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child === null) return;
    this.child = null;
    await endProcess(child, signal);
  }

  async close(): Promise<void> {
    await this.down('SIGKILL');
    process.off('exit', this.kill);
    this.line.close();
  }

  private home(mode: Mode): string {
    return path.join(this.directory, mode);
  }
}
