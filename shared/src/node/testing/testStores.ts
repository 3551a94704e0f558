import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { accepts } from './accepts.ts';
import { endProcess } from './endProcess.ts';
import { freePort } from './freePort.ts';

/** What Debian's redis-tools have: the server's program, which is one by this name. The package redis-server would start one with the machine. */
const [REDIS, REDIS_NAME] = ['/usr/bin/redis-check-rdb', 'redis-server'];
/** Of Debian, as its python3-swift is. */
const PYTHON = '/usr/bin/python3';
const SWIFT = '/usr/lib/python3/dist-packages/swift';
const LOOPBACK = '127.0.0.1';
const POLL_MS = 20;

type StoreName = 'redis' | 's3';

/** Which of what stores need is not on this machine; null when all is there. */
export function missingStores(): string | null {
  const missing = [...(existsSync(REDIS) ? [] : ['redis-tools']), ...(existsSync(SWIFT) && existsSync(PYTHON) ? [] : ['python3-swift'])];
  return missing.length === 0 ? null : `needs Debian's ${missing.join(', ')}`;
}

/** Redis, and Swift with its S3 interface, of this machine's packages on loopback: what relays share. */
export class TestStores {
  private readonly directory = mkdtempSync(join(tmpdir(), 'firstscreen-stores-'));
  private readonly children = new Map<StoreName, ChildProcessByStdio<Writable, Readable, null>>();
  private s3Port = 0;
  private redisPort = 0;

  static async start(): Promise<TestStores> {
    const self = new TestStores();
    const redisPort = await freePort();
    const swift = self.run('s3', PYTHON, [join(import.meta.dirname, 'swiftStore.py'), self.directory]);
    const redis = self.run('redis', REDIS, ['--port', String(redisPort), '--bind', LOOPBACK, '--save', '', '--appendonly', 'no', '--dir', self.directory], REDIS_NAME);
    redis.stdout.resume();
    const [line] = (await once(createInterface({ input: swift.stdout }), 'line')) as [string];
    self.redisPort = redisPort;
    self.s3Port = (JSON.parse(line) as { readonly port: number }).port;
    while (!(await accepts(redisPort))) await sleep(POLL_MS);
    return self;
  }

  /** As relay.json has it. */
  get settings(): { readonly redis: string; readonly s3: Readonly<Record<'endpoint' | 'region' | 'bucket' | 'accessKeyId' | 'secretAccessKey', string>> } {
    const s3 = { endpoint: `http://${LOOPBACK}:${this.s3Port}`, region: 'us-east-1', bucket: 'pictures', accessKeyId: 'firstscreen:relay', secretAccessKey: 'secret' };
    return { redis: `redis://${LOOPBACK}:${this.redisPort}`, s3 };
  }

  /** It says nothing any more. */
  freeze(name: StoreName): void {
    this.children.get(name)?.kill('SIGSTOP');
  }

  thaw(name: StoreName): void {
    this.children.get(name)?.kill('SIGCONT');
  }

  async close(): Promise<void> {
    await Promise.all([...this.children.values()].map((child) => endProcess(child)));
    rmSync(this.directory, { recursive: true, force: true });
  }

  private run(name: StoreName, program: string, args: readonly string[], argv0 = program): ChildProcessByStdio<Writable, Readable, null> {
    const child = spawn(program, args, { argv0, stdio: ['pipe', 'pipe', 'ignore'] });
    // also of a run that is broken off
    process.once('exit', () => child.kill('SIGKILL'));
    this.children.set(name, child);
    return child;
  }
}
