import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { HostResolver } from '../names/resolveHost.ts';
import { openTcp, type LinkView } from './openSocket.ts';
import { type TlsStarter } from './startTls.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };

/** Where an origin's server is; `host` as in a URL. */
export function hostAndPortOf(origin: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname: host, port } = new URL(origin);
  return { host, port: Number(port || DEFAULT_PORTS[protocol]) };
}

/** Connections by the names of hosts. */
export class SocketOpener {
  private readonly resolver: Pick<HostResolver, 'resolve' | 'forget'>;
  private readonly link: LinkView;
  private readonly tls: TlsStarter;

  constructor(resolver: Pick<HostResolver, 'resolve' | 'forget'>, link: LinkView, tls: TlsStarter) {
    this.resolver = resolver;
    this.link = link;
    this.tls = tls;
  }

  /** @throws FirstscreenError E_NAME, E_CONNECT */
  async open(host: string, port: number, allowHalfOpen = false): Promise<Socket> {
    const addresses = await this.resolver.resolve(host);
    try {
      return await openTcp({ host, port, addresses, link: this.link, allowHalfOpen });
    } catch (error) {
      this.resolver.forget(host);
      throw error;
    }
  }

  /** @throws FirstscreenError E_NAME, E_CONNECT, E_UPSTREAM_TLS */
  async openTls(host: string, port: number, protocols?: readonly string[]): Promise<TLSSocket> {
    return this.tls.start(await this.open(host, port), { host, ...(protocols && { protocols }) });
  }

  /** A connection as an origin wants it. @throws FirstscreenError as `openTls` */
  openFor(origin: string): Promise<Socket> {
    const { host, port } = hostAndPortOf(origin);
    return origin.startsWith('https:') ? this.openTls(host, port) : this.open(host, port);
  }
}
