import type { Duplex } from 'node:stream';
import type { TLSSocket } from 'node:tls';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { Address } from '../../../shared/src/names/address.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import { DEFAULT_LEVEL } from '../../../shared/src/relay/wire.ts';
import { destinationOf } from '../http/requestTarget.ts';
import type { HostNames } from '../names/hostNames.ts';
import type { RelayRoute } from '../relay/relayRoute.ts';
import { isLostWithRelay, type RelayedSocket } from '../relay/relayedSocket.ts';
import { beginTcp, openTcp, type LinkView, type OpenedSocket, type OpenedTcp } from './openSocket.ts';
import { withoutQueue } from './receiveWindow.ts';
import type { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';

/** Connections by the names of hosts: through the relay, which looks their names up itself, or to addresses of the public web alone. */
export class SocketOpener {
  private readonly names: Pick<HostNames, 'likely' | 'resolve' | 'reached' | 'moved' | 'forget'>;
  private readonly link: LinkView;
  private readonly tls: TlsStarter;
  private readonly isPublic: IsPublic;
  private readonly relay: Pick<RelayRoute, 'open' | 'openedDirectly'> | null;

  /** @param relay carries what it may; null for none */
  constructor(names: SocketOpener['names'], link: LinkView, tls: TlsStarter, isPublic: IsPublic, relay: Pick<RelayRoute, 'open' | 'openedDirectly'> | null = null) {
    [this.names, this.link, this.tls, this.isPublic, this.relay] = [names, link, tls, isPublic, relay];
  }

  /**
   * Through the relay it may be spoken on at once, and fails with a code later where it can not be made.
   *
   * @param allowHalfOpen for a tunnel: a direction that has ended leaves the other open
   * @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT
   */
  async open(host: string, port: number, allowHalfOpen = false): Promise<Duplex> {
    return this.relayed(host, port, allowHalfOpen) ?? (await this.direct(host, port, allowHalfOpen)).socket;
  }

  /** @param protocols ALPN. @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT, E_UPSTREAM_TLS */
  async openTls(host: string, port: number, protocols?: readonly string[]): Promise<TLSSocket> {
    return this.tls.start(await this.open(host, port), host, protocols);
  }

  /** A connection as an origin wants it. @param protocols ALPN, where there is TLS. @throws FirstscreenError as `openTls` */
  async openFor(origin: string, protocols?: readonly string[]): Promise<OpenedSocket> {
    const { host, port } = destinationOf(origin);
    const isSecure = origin.startsWith('https:');
    const start = (socket: Duplex): Promise<TLSSocket> => this.tls.start(socket, host, protocols);
    const relayed = this.relayed(host, port, false);
    if (relayed !== null) {
      try {
        const socket = isSecure ? await start(relayed) : await connected(relayed);
        return { socket, rttMs: relayed.rttMs, relayed };
      } catch (error) {
        // nothing was asked for on it
        if (!isLostWithRelay(relayed.errored)) throw error;
      }
    }
    const startMs = performance.now();
    const { socket, rttMs } = await this.direct(host, port, false);
    const way = isSecure ? await start(socket) : socket;
    if (isSecure) this.relay?.openedDirectly(host, performance.now() - startMs);
    return { socket: way, rttMs: withoutQueue(rttMs, this.link.rttMs()) };
  }

  private relayed(host: string, port: number, allowHalfOpen: boolean): RelayedSocket | null {
    return this.relay?.open(host, port, DEFAULT_LEVEL, { direct: () => this.direct(host, port, allowHalfOpen), allowHalfOpen }) ?? null;
  }

  private async direct(host: string, port: number, allowHalfOpen: boolean): Promise<OpenedTcp> {
    try {
      return await this.reach(host, port, allowHalfOpen);
    } catch (error) {
      this.relay?.openedDirectly(host, Infinity);
      throw error;
    }
  }

  /**
   * A host with any address that is not public is the browser's: which of them it would take, and whether its page may
   * go there, is for it to say. While the DNS is asked, the address that it gave the last time is connected to already,
   * and used if it gives it again: then the DNS has cost no round trip (ADR 91).
   */
  private async reach(host: string, port: number, allowHalfOpen: boolean): Promise<OpenedTcp> {
    const likely = this.names.likely(host);
    const begun = likely !== null && this.isPublic(likely.address) ? beginTcp(likely, port, this.link, allowHalfOpen) : null;
    const addresses = await this.publicAddresses(host).catch((error: unknown) => {
      begun?.cancel();
      this.names.moved(host);
      throw error;
    });
    const isThere = addresses.some(({ address }) => address === likely?.address);
    if (!isThere) begun?.cancel();
    try {
      const opened = await openTcp(addresses, port, this.link, allowHalfOpen, isThere ? begun : null);
      this.names.reached(host, opened.address);
      return opened;
    } catch (error) {
      this.names.forget(host);
      throw error;
    }
  }

  private async publicAddresses(host: string): Promise<readonly Address[]> {
    const addresses = await this.names.resolve(host);
    if (addresses.every(({ address }) => this.isPublic(address))) return addresses;
    throw new FirstscreenError('E_ADDRESS', 'The host is not on the public web.', 'The browser is asked to go there itself.');
  }
}

/** What a request is sent on is there: one that was sent may not be sent again another way. @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
async function connected(relayed: RelayedSocket): Promise<RelayedSocket> {
  await relayed.decided;
  if (relayed.errored !== null) throw relayed.errored;
  return relayed;
}
