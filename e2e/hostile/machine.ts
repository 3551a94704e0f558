import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BedBrowser, BedSetup } from './bedBrowser.ts';
import { helperScript, makeTrustedHome } from './bedHelper.ts';
import { makeCertificates, type Certificates } from './certificates.ts';
import { startChromium } from './chromium.ts';
import { startFirefox } from './firefox.ts';
import type { BrowserName, Mode } from './mode.ts';
import { NameServer } from './names.ts';
import { makePlace } from './place.ts';
import { Servers } from './servers.ts';
import { carries } from './settings.ts';

const BLOCKER_DIR = path.join(import.meta.dirname, 'blocker');

/** What a browser of the bed runs on: network, names, servers and trust. In namespaces of this process's own (place.ts). */
export class Machine {
  readonly dir: string;
  readonly names: NameServer;
  readonly servers: Servers;
  private readonly certificates: Certificates;
  private readonly trustedHome: string;

  private constructor(dir: string, certificates: Certificates, trustedHome: string, names: NameServer, servers: Servers) {
    this.dir = dir;
    this.certificates = certificates;
    this.trustedHome = trustedHome;
    this.names = names;
    this.servers = servers;
  }

  /** @param purpose part of the name of the temporary directory for all of it */
  static async make(purpose: string): Promise<Machine> {
    const dir = mkdtempSync(path.join(tmpdir(), `firstscreen-${purpose}-`));
    const certificates = makeCertificates(dir);
    makePlace(dir, certificates.authority);
    const trustedHome = path.join(dir, 'home');
    makeTrustedHome(trustedHome, certificates);
    return new Machine(dir, certificates, trustedHome, await NameServer.start(), await Servers.start(certificates));
  }

  /** @param dir of the browser and its helper */
  startBrowser(name: BrowserName, mode: Mode, dir: string, { tellsFailures }: Pick<BedSetup, 'tellsFailures'>): Promise<BedBrowser> {
    const helperDir = helperDirOf(dir);
    mkdirSync(helperDir, { recursive: true });
    const dataHome = mode === 'interception' ? path.join(this.trustedHome, 'data') : path.join(helperDir, 'data');
    return (name === 'chromium' ? startChromium : startFirefox)({
      mode, dir, tellsFailures, certificates: this.certificates, trustedHome: this.trustedHome, blockerDir: BLOCKER_DIR,
      helper: (id) => (carries(mode) ? helperScript(helperDir, dataHome, this.certificates.authorityFile, name === 'chromium' ? [`--extension-id=${id}`] : []) : null),
    });
  }

  close(): void {
    this.servers.close();
    this.names.close();
    rmSync(this.dir, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Where the helper of a browser keeps what is its own. @param dir of the browser */
export function helperDirOf(dir: string): string {
  return path.join(dir, 'helper-state');
}
