import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import type { HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { destinationOf } from '../http/requestTarget.ts';
import { openTcp, type LinkView, type OpenedSocket } from './openSocket.ts';
import { withoutQueue } from './receiveWindow.ts';
import type { TlsStarter } from './startTls.ts';

/** Connections by the names of hosts, to addresses of the public web alone. */
export class SocketOpener {
  private readonly resolver: Pick<HostResolver, 'resolve' | 'forget'>;
  private readonly link: LinkView;
  private readonly tls: TlsStarter;
  private readonly isPublic: IsPublic;

  constructor(resolver: Pick<HostResolver, 'resolve' | 'forget'>, link: LinkView, tls: TlsStarter, isPublic: IsPublic) {
    this.resolver = resolver;
    this.link = link;
    this.tls = tls;
    this.isPublic = isPublic;
  }

  /**
   * @param allowHalfOpen for a tunnel: a direction that has ended leaves the other open
   * @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT
   */
  async open(host: string, port: number, allowHalfOpen = false): Promise<Socket> {
    return (await this.connect(host, port, allowHalfOpen)).socket;
  }

  /** @param protocols ALPN. @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT, E_UPSTREAM_TLS */
  async openTls(host: string, port: number, protocols?: readonly string[]): Promise<TLSSocket> {
    return this.tls.start(await this.open(host, port), host, protocols);
  }

  /** A connection as an origin wants it. @param protocols ALPN, where there is TLS. @throws FirstscreenError as `openTls` */
  async openFor(origin: string, protocols?: readonly string[]): Promise<OpenedSocket> {
    const { host, port } = destinationOf(origin);
    const { socket, rttMs } = await this.connect(host, port);
    return { socket: origin.startsWith('https:') ? await this.tls.start(socket, host, protocols) : socket, rttMs: withoutQueue(rttMs, this.link.rttMs()) };
  }

  /**
   * A host with any address that is not public is the browser's: which of them it would take, and whether its page may
   * go there, is for it to say.
   */
  private async connect(host: string, port: number, allowHalfOpen = false): Promise<OpenedSocket> {
    const addresses = await this.resolver.resolve(host);
    if (!addresses.every(({ address }) => this.isPublic(address))) {
      throw new FirstscreenError('E_ADDRESS', 'The host is not on the public web.', 'The browser is asked to go there itself.');
    }
    try {
      return await openTcp(addresses, port, this.link, allowHalfOpen);
    } catch (error) {
      this.resolver.forget(host);
      throw error;
    }
  }
}
