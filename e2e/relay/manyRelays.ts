import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { X509Certificate, createHash } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request, type ClientRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as v from 'valibot';
import { endProcess } from '../../shared/src/node/testing/endProcess.ts';
import { freePort } from '../../shared/src/node/testing/freePort.ts';
import { TestStores, missingStores } from '../../shared/src/node/testing/testStores.ts';
import { BENCH_HELPER, BENCH_RELAY } from '../browsers/executables.ts';
import { helperEnvironment } from '../browsers/extension.ts';
import { HAPROXY, haproxyEnvironment } from './haproxy.ts';
import { HelperOfTests, PUBLIC_SERVERS, onLog } from './helperOfTests.ts';

const LOOPBACK = '127.0.0.1';
const OWNER_ONLY = 0o600;

const RELAY_NAMES = ['a', 'b'] as const;
export type RelayName = (typeof RELAY_NAMES)[number];

/** What is not on this machine; null when all is there. */
export function missingForMany(): string | null {
  return existsSync(HAPROXY[0]) ? missingStores() : "needs Debian's haproxy";
}

/** Two relays of one key behind HAProxy, with Redis and an S3 store, and the helper of a user of theirs, which has them make its requests: all as built, on loopback. */
export class ManyRelays {
  private readonly home = mkdtempSync(path.join(tmpdir(), 'firstscreen-many-'));
  private readonly children = new Set<ChildProcess>();
  private readonly relays = new Map<RelayName, ChildProcess>();
  /** Carriers that each relay has now. */
  private readonly carriers: Record<RelayName, number> = { a: 0, b: 0 };
  private readonly stores: TestStores;
  private helper: HelperOfTests | null = null;

  private constructor(stores: TestStores) {
    this.stores = stores;
  }

  static async start(): Promise<ManyRelays> {
    const self = new ManyRelays(await TestStores.start());
    const [front, a, b] = [await freePort(), await freePort(), await freePort()];
    const fingerprint = self.run(BENCH_RELAY, ['init', '--directory', self.directory('a'), '--listen', `${LOOPBACK}:${a}`]).trim();
    self.run(BENCH_HELPER, ['relay', 'add', `${LOOPBACK}:${front}`, fingerprint]);
    self.run(BENCH_HELPER, ['relay', 'terminate', 'add', 'all']);
    self.settle({ a, b });
    for (const name of RELAY_NAMES) await self.startRelay(name);
    const [program, ...words] = HAPROXY;
    self.keep(spawn(program, words, { env: haproxyEnvironment(front, [a, b]), stdio: 'ignore' }));
    await self.startHelper();
    return self;
  }

  /** The relay that the user's helper is at, and would have its next request make. */
  get used(): RelayName | null {
    return this.helper?.isConnected === true ? (RELAY_NAMES.find((name) => this.carriers[name] > 0) ?? null) : null;
  }

  /** What Redis knows of pictures: how many are in the store. */
  get hints(): number {
    const { hostname, port } = new URL(this.stores.settings.redis);
    return Number(execFileSync('redis-cli', ['-h', hostname, '-p', port, 'dbsize'], { encoding: 'utf8' }));
  }

  /** Asks as a browser does, by the helper's proxy. */
  ask(url: string, method: 'GET' | 'POST' = 'GET', headers: Readonly<Record<string, string>> = {}): ClientRequest {
    const { port, authorization = '' } = this.helper ?? {};
    return request({ host: LOOPBACK, port, method, path: url, headers: { host: new URL(url).host, 'proxy-authorization': authorization, ...headers } });
  }

  /** Ends a relay as a machine does that loses its power. */
  async kill(name: RelayName): Promise<void> {
    const child = this.relays.get(name);
    if (child === undefined) return;
    await endProcess(child);
    this.lost(name);
  }

  /** As a machine whose network is gone: nobody says anything. */
  freeze(name: RelayName): void {
    this.relays.get(name)?.kill('SIGSTOP');
    this.lost(name);
  }

  async startRelay(name: RelayName): Promise<void> {
    const child = spawn(process.execPath, [BENCH_RELAY, 'serve', '--directory', this.directory(name)], { env: { ...process.env, ...PUBLIC_SERVERS }, stdio: ['ignore', 'pipe', 'pipe'] });
    this.keep(child);
    this.relays.set(name, child);
    onLog(child.stderr, ({ message }) => {
      if (message === 'carrier begun') this.carriers[name] += 1;
      if (message === 'carrier ended') this.carriers[name] -= 1;
    });
    await once(child.stdout, 'data');
  }

  async close(): Promise<void> {
    await Promise.all([...this.children].map((child) => endProcess(child)));
    await this.stores.close();
    rmSync(this.home, { recursive: true, force: true, maxRetries: 5 });
  }

  /** The same key, the same store and the same user for both. */
  private settle(ports: Readonly<Record<RelayName, number>>): void {
    const file = path.join(this.environment.XDG_CONFIG_HOME, 'firstscreen/relay.json');
    const { certificatePem } = v.parse(v.object({ certificatePem: v.string() }), JSON.parse(readFileSync(file, 'utf8')));
    const key = new X509Certificate(certificatePem).publicKey.export({ type: 'spki', format: 'der' });
    const clients = [{ name: 'laptop', fingerprint: createHash('sha256').update(key).digest('base64url') }];
    mkdirSync(this.directory('b'), { mode: 0o700 });
    for (const name of ['key.pem', 'certificate.pem']) copyFileSync(path.join(this.directory('a'), name), path.join(this.directory('b'), name));
    for (const name of RELAY_NAMES) {
      writeFileSync(path.join(this.directory(name), 'relay.json'), JSON.stringify({ version: 1, listen: `${LOOPBACK}:${ports[name]}`, clients, store: this.stores.settings }), { mode: OWNER_ONLY });
    }
  }

  private async startHelper(): Promise<void> {
    this.helper = new HelperOfTests(this.environment);
    this.keep(this.helper.child);
    await this.helper.ready();
  }

  private lost(name: RelayName): void {
    this.carriers[name] = 0;
    if (this.helper !== null) this.helper.isConnected = false;
  }

  private get environment() {
    return helperEnvironment(path.join(this.home, 'user'));
  }

  private directory(name: RelayName): string {
    return path.join(this.home, name);
  }

  private run(main: string, words: readonly string[]): string {
    return execFileSync(process.execPath, [main, ...words], { encoding: 'utf8', env: { ...process.env, ...this.environment } });
  }

  private keep(child: ChildProcess): void {
    this.children.add(child);
  }
}

/** All that came of an answer, and whether it said its end. */
export interface Received {
  readonly status: number | undefined;
  readonly type: string | undefined;
  readonly body: Buffer;
  readonly isWhole: boolean;
}

/** Sends a request, and takes what comes. @param more is told whenever something has come */
export async function received(asked: ClientRequest, more: () => void = () => undefined): Promise<Received> {
  asked.end();
  const chunks: Buffer[] = [];
  try {
    const [answer] = (await once(asked, 'response')) as [IncomingMessage];
    const of = (isWhole: boolean): Received => ({ status: answer.statusCode, type: answer.headers['content-type'], body: Buffer.concat(chunks), isWhole });
    try {
      for await (const chunk of answer) {
        chunks.push(chunk as Buffer);
        more();
      }
      return of(answer.complete);
    } catch {
      return of(false);
    }
  } catch {
    return { status: undefined, type: undefined, body: Buffer.alloc(0), isWhole: false };
  }
}
