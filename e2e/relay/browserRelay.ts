import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endProcess } from '../../shared/src/node/testing/endProcess.ts';
import { endServer, listenLocally, portOf } from '../../shared/src/node/testing/localServer.ts';
import { BENCH_RELAY } from '../browsers/executables.ts';
import { makeCertificates, makeCertificateStore, trustAuthority, type Certificates } from '../hostile/certificates.ts';
import { freePort } from '../../shared/src/node/testing/freePort.ts';

/** Names of the certificate of the hostile bed, which lead to this machine. */
export const RELAY_HOST = 'relay.own.test';
export const PAGE_HOST = 'page.own.test';
/** Where the page's host is for the relay alone, and where it is for the browser: the page's title says by which way it came. */
export const BY_RELAY = '127.0.0.2';
export const DIRECTLY = '127.0.0.1';

/** The relay as a proxy of browsers, a server of https:, and a home whose browsers trust the authority of both. */
export class BrowserRelay {
  /** For a browser's HOME, with a certificate store of Chromium's. */
  readonly home = mkdtempSync(path.join(tmpdir(), 'firstscreen-relay-'));
  private readonly certificates: Certificates = makeCertificates(this.home);
  private readonly directory = path.join(this.home, 'relay');
  private readonly server: Server;
  private child: ChildProcess | null = null;
  /** To paste into the options page. */
  link = '';

  private constructor() {
    this.server = createServer(this.certificates.server, ({ socket }, response) => {
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><title>${socket.localAddress ?? ''}</title><p>text`);
    });
    mkdirSync(path.join(this.home, '.pki/nssdb'), { recursive: true });
    const store = path.join(this.home, '.pki/nssdb');
    makeCertificateStore(store);
    this.trustIn(store);
  }

  static async start(): Promise<BrowserRelay> {
    const self = new BrowserRelay();
    await listenLocally(self.server, '0.0.0.0');
    await self.startRelay();
    return self;
  }

  get url(): string {
    return `https://${PAGE_HOST}:${portOf(this.server)}/`;
  }

  /** Has a certificate store trust the authority. */
  trustIn(store: string): void {
    trustAuthority(store, 'relay', this.certificates.authorityFile);
  }

  /** As a machine that is switched off: connections to it are refused. */
  async kill(): Promise<void> {
    if (this.child !== null) await endProcess(this.child);
  }

  /** As a link that carries nothing: nobody says anything. */
  freeze(): void {
    this.child?.kill('SIGSTOP');
  }

  async close(): Promise<void> {
    await this.kill();
    await endServer(this.server);
    rmSync(this.home, { recursive: true, force: true });
  }

  private async startRelay(): Promise<void> {
    const port = await freePort();
    const file = (name: string): string => path.join(this.home, name);
    this.run('init', '--listen', `127.0.0.1:${await freePort()}`);
    this.run('proxy', '--address', `${RELAY_HOST}:${port}`, '--listen', `127.0.0.1:${port}`, '--certificate', file('server.pem'), '--key', file('server.key'));
    this.link = this.run('proxy-allow', 'browser').trim();
    writeFileSync(file('hosts'), `${BY_RELAY} ${PAGE_HOST}\n`);
    const unshare = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
    const script = `mount --bind '${file('hosts')}' /etc/hosts && exec "$@"`;
    const child = spawn('unshare', [...unshare, 'sh', '-c', script, 'sh', process.execPath, BENCH_RELAY, 'serve', '--directory', this.directory], {
      env: { ...process.env, FIRSTSCREEN_PUBLIC: '127.0.0.0/8' }, stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.child = child;
    await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => Promise.reject(new Error('the relay has ended')))]);
  }

  private run(...args: readonly string[]): string {
    return execFileSync(process.execPath, [BENCH_RELAY, ...args, '--directory', this.directory], { encoding: 'utf8' });
  }
}
