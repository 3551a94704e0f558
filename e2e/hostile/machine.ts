import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { exitOnSignals } from '../bench/commandLine.ts';
import type { BedBrowser, BedSetup } from './bedBrowser.ts';
import { helperScript, makeTrustedHome } from './bedHelper.ts';
import { BedRelay, RELAY_USES } from './bedRelay.ts';
import { makeCertificates, type Certificates } from './certificates.ts';
import { startChromium } from './chromium.ts';
import { startFirefox } from './firefox.ts';
import type { BrowserName, Mode } from './mode.ts';
import { NameServer } from './names.ts';
import { makePlace } from './place.ts';
import { Servers } from './servers.ts';
import { carries } from './settings.ts';

const BLOCKER_DIR = path.join(import.meta.dirname, 'blocker');

/** What a browser of the bed runs on: network, names, servers and trust. In namespaces of this process's own (place.ts), with which it goes. */
export class Machine {
  readonly dir: string;
  readonly names: NameServer;
  readonly servers: Servers;
  private readonly certificates: Certificates;
  private readonly trustedHome: string;
  /** That helpers use; null for none. */
  private readonly relay: BedRelay | null;

  private constructor(dir: string, certificates: Certificates, trustedHome: string, names: NameServer, servers: Servers, relay: BedRelay | null) {
    this.relay = relay;
    this.dir = dir;
    this.certificates = certificates;
    this.trustedHome = trustedHome;
    this.names = names;
    this.servers = servers;
    process.on('exit', () => this.close());
    exitOnSignals();
  }

  /** @param purpose part of the name of the temporary directory for all of it */
  static async make(purpose: string): Promise<Machine> {
    const dir = mkdtempSync(path.join(tmpdir(), `firstscreen-${purpose}-`));
    const certificates = makeCertificates(dir);
    makePlace(dir, certificates.authority);
    const trustedHome = path.join(dir, 'home');
    await makeTrustedHome(trustedHome, certificates);
    const names = await NameServer.start();
    const use = RELAY_USES.find((each) => each === process.env['HOSTILE_RELAY']);
    const relay = use === undefined ? null : await BedRelay.start(dir, certificates, use);
    return new Machine(dir, certificates, trustedHome, names, await Servers.start(certificates), relay);
  }

  /** @param dir of the browser and its helper */
  startBrowser(name: BrowserName, mode: Mode, dir: string, { tellsFailures }: Pick<BedSetup, 'tellsFailures'>): Promise<BedBrowser> {
    const helperDir = helperDirOf(dir);
    mkdirSync(helperDir, { recursive: true });
    this.relay?.addTo(helperDir);
    const dataHome = mode === 'interception' ? path.join(this.trustedHome, 'data') : path.join(helperDir, 'data');
    return (name === 'chromium' ? startChromium : startFirefox)({
      mode, dir, tellsFailures, certificates: this.certificates, trustedHome: this.trustedHome, blockerDir: BLOCKER_DIR,
      helper: (id) => (carries(mode) ? helperScript(helperDir, dataHome, this.certificates.authorityFile, name === 'chromium' ? [`--extension-id=${id}`] : [], this.relay !== null) : null),
    });
  }

  private close(): void {
    this.relay?.close();
    this.servers.close();
    this.names.close();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where the helper of a browser keeps what is its own. @param dir of the browser */
export function helperDirOf(dir: string): string {
  return path.join(dir, 'helper-state');
}
