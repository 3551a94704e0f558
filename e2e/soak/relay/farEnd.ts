import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import path from 'node:path';
import * as v from 'valibot';
import { createIdentity, type Identity } from '../../../shared/src/relay/identity.ts';
import { Line } from './line.ts';
import { SERVER_HOST } from './pageServers.ts';
import type { Mode } from './plan.ts';

const RELAY = path.join(import.meta.dirname, '../../../dist/relay-bench/firstscreen-relay.mjs');
const OWNER_ONLY = 0o600;
const FINGERPRINT = /(?<![\w-])[\w-]{43}(?![\w-])/;

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
    const relayDirectory = path.join(directory, 'relay');
    const port = await freePort();
    const said = execFileSync(process.execPath, [RELAY, 'init', '--directory', relayDirectory, '--listen', `127.0.0.1:${port}`], { encoding: 'utf8' });
    const helper = await createIdentity('helper', new Date());
    letIn(path.join(relayDirectory, 'relay.json'), helper);
    const self = new FarEnd(directory, await Line.to(port));
    for (const mode of ['terminated', 'tunnel'] as const) self.addTo(mode, helper, FINGERPRINT.exec(said)?.[0] ?? '');
    await self.up();
    return self;
  }

  /** Of the helpers of a mode. */
  home(mode: Mode): string {
    return path.join(this.directory, mode);
  }

  /** Starts it, unless it runs. */
  async up(): Promise<void> {
    if (this.child !== null) return;
    const child = spawn(process.execPath, [RELAY, 'serve', '--directory', path.join(this.directory, 'relay')], {
      env: { ...process.env, FIRSTSCREEN_PUBLIC: `${SERVER_HOST}/32` }, stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child = child;
    await once(child.stdout, 'data');
  }

  async down(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const { child } = this;
    if (child === null) return;
    this.child = null;
    child.kill(signal);
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.down('SIGKILL');
    process.off('exit', this.kill);
    this.line.close();
  }

  /** As `relay add` and `relay terminate add all` do. */
  private addTo(mode: Mode, { certificatePem, keyPem }: Identity, relayFingerprint: string): void {
    const directory = path.join(this.home(mode), 'config/firstscreen');
    mkdirSync(directory, { recursive: true });
    const config = { version: 1, host: '127.0.0.1', port: this.line.port, relayFingerprint, certificatePem, keyPem, terminate: mode === 'terminated' ? 'all' : [] };
    writeFileSync(path.join(directory, 'relay.json'), JSON.stringify(config), { mode: OWNER_ONLY });
  }
}

/** As `allow` does. */
function letIn(file: string, { fingerprint }: Identity): void {
  const settings = v.parse(v.looseObject({}), JSON.parse(readFileSync(file, 'utf8')));
  writeFileSync(file, JSON.stringify({ ...settings, clients: [{ name: 'helper', fingerprint }] }), { mode: OWNER_ONLY });
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
