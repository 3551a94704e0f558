import { unwatchFile, watchFile } from 'node:fs';
import { FirstscreenError, codeOf } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { parseAuthority } from '../../../shared/src/names/authority.ts';
import { PROXY_LIMITS } from '../carrier/limits.ts';
import type { RelayDirectory } from '../settings/relayDirectory.ts';
import type { ServerOpener } from '../tunnels/openServer.ts';
import { FailureLimit } from './failureLimit.ts';
import { readProxyCertificate } from './proxyCertificate.ts';
import { ProxyServer } from './proxyServer.ts';
import { userOf, type ProxySettings } from './proxySettings.ts';

/** A renewed certificate is good for weeks before its predecessor ends. */
const CERTIFICATE_LOOK_MS = 5_000;

export interface ServedProxyNeeds {
  readonly directory: Pick<RelayDirectory, 'proxySettings'>;
  readonly opener: Pick<ServerOpener, 'open'>;
  readonly log: LogSink;
  /** A socket that a service manager has opened for it; null where it opens its own. */
  readonly fd: number | null;
  /** It may listen elsewhere now, or not at all. */
  changed(): void;
}

/** The proxy of a running relay as proxy.json says, and its certificate, whenever one of them changes. Whatever is wrong with it, carriers go on. */
export class ServedProxy {
  private readonly needs: ServedProxyNeeds;
  private readonly failures = new FailureLimit(() => performance.now());
  private settings: ProxySettings | null = null;
  private server: ProxyServer | null = null;
  /** Where proxy.json said that the server listens, when it began. */
  private place = '';
  private watched: readonly string[] = [];
  /** One after the other. */
  private change: Promise<void> = Promise.resolve();
  private readonly look = (): void => void this.refresh();
  /** Where it listens; null while it does not. */
  port: number | null = null;

  constructor(needs: ServedProxyNeeds) {
    this.needs = needs;
  }

  /** Never throws: what is wrong is in the log. */
  refresh(): Promise<void> {
    this.change = this.change.then(() => this.apply()).finally(() => this.needs.changed()).catch((error: unknown) => {
      this.needs.log({ level: 'error', scope: 'proxy', message: 'proxy not taken over', fields: { code: codeOf(error), ...(error instanceof FirstscreenError && { reason: error.message }) } });
    });
    return this.change;
  }

  async close(): Promise<void> {
    await this.change;
    this.watch([]);
    await this.end();
  }

  /** @throws FirstscreenError E_RELAY_SETTINGS, E_RELAY_CERTIFICATE, with which what was served before is served on; E_RELAY_LISTEN, with which nothing is */
  private async apply(): Promise<void> {
    const next = this.needs.directory.proxySettings();
    this.watch(next === null ? [] : [next.certificate, next.key]);
    this.settings = next;
    this.server?.usersChanged();
    const { opener, log, fd } = this.needs;
    // a socket that was given can not be opened again: it stays, with users no more
    if (next === null) return fd === null ? this.end() : undefined;
    const certificate = readProxyCertificate(next, new Date());
    if (this.server !== null && (fd !== null || this.place === next.listen)) {
      this.server.renew(certificate);
      return;
    }
    await this.end();
    const server = new ProxyServer({ certificate, userOf: (authorization) => (this.settings === null ? null : userOf(this.settings, authorization)), opener, failures: this.failures, limits: PROXY_LIMITS, log });
    const { port } = await server.listen(fd === null ? (parseAuthority(next.listen) ?? { host: '', port: 0 }) : { fd });
    [this.server, this.port, this.place] = [server, port, next.listen];
    log({ level: 'info', scope: 'proxy', message: 'proxy served', fields: { port, users: next.users.length } });
  }

  private async end(): Promise<void> {
    const { server } = this;
    [this.server, this.port] = [null, null];
    await server?.close();
  }

  private watch(files: readonly string[]): void {
    if (files.join('\0') === this.watched.join('\0')) return;
    for (const file of this.watched) unwatchFile(file, this.look);
    this.watched = files;
    for (const file of files) watchFile(file, { interval: CERTIFICATE_LOOK_MS }, this.look);
  }
}
