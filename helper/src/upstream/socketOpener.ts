import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { addressSpaceOf, lessPublic, mayReach, morePublic, type AddressSpace } from '../names/addressPolicy.ts';
import type { HostResolver } from '../names/resolveHost.ts';
import { openTcp, type LinkView } from './openSocket.ts';
import { type TlsStarter } from './startTls.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 };
const MAX_HOSTS = 1_000;

/** Where an origin's server is; `host` as in a URL. */
export function hostAndPortOf(origin: string): { readonly host: string; readonly port: number } {
  const { protocol, hostname: host, port } = new URL(origin);
  return { host, port: Number(port || DEFAULT_PORTS[protocol]) };
}

export interface SocketOptions {
  /**
   * The space of the page that is expected to need it, which it may not leave for a less public one; null when the
   * browser has asked.
   */
  readonly reach: AddressSpace | null;
  /** For a tunnel: a direction that has ended leaves the other open. */
  readonly allowHalfOpen?: boolean;
  /** ALPN, where there is TLS. */
  readonly protocols?: readonly string[];
}

/** Connections by the names of hosts. */
export class SocketOpener {
  private readonly resolver: Pick<HostResolver, 'resolve' | 'forget'>;
  private readonly link: LinkView;
  private readonly tls: TlsStarter;
  /**
   * The most public space that a host was ever found in: one that has shown pages from the web gets no further by
   * another answer of its DNS (rebinding).
   */
  private readonly spaces = new LRUCache<string, AddressSpace>({ max: MAX_HOSTS });

  constructor(resolver: Pick<HostResolver, 'resolve' | 'forget'>, link: LinkView, tls: TlsStarter) {
    this.resolver = resolver;
    this.link = link;
    this.tls = tls;
  }

  /** The space of an origin's pages. Never rejects: what can not be found is public, and reaches nothing else. */
  async spaceOf(origin: string): Promise<AddressSpace> {
    const { host } = hostAndPortOf(origin);
    const known = this.spaces.get(host);
    if (known !== undefined) return known;
    try {
      return this.found(host, (await this.resolver.resolve(host)).map(({ address }) => addressSpaceOf(address)).reduce(morePublic));
    } catch {
      return 'public';
    }
  }

  /** @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
  async open(host: string, port: number, { reach, allowHalfOpen = false }: SocketOptions): Promise<Socket> {
    const all = await this.resolver.resolve(host);
    const addresses = reach === null ? all : all.filter(({ address }) => mayReach(reach, addressSpaceOf(address)));
    if (addresses.length === 0) throw lessPublic();
    try {
      const socket = await openTcp({ port, addresses, link: this.link, allowHalfOpen });
      this.found(host, addressSpaceOf(socket.remoteAddress ?? ''));
      return socket;
    } catch (error) {
      this.resolver.forget(host);
      throw error;
    }
  }

  /** @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT, E_UPSTREAM_TLS */
  async openTls(host: string, port: number, options: SocketOptions): Promise<TLSSocket> {
    return this.tls.start(await this.open(host, port, options), { host, ...(options.protocols && { protocols: options.protocols }) });
  }

  /** A connection as an origin wants it. @throws FirstscreenError as `openTls` */
  openFor(origin: string, options: SocketOptions): Promise<Socket> {
    const { host, port } = hostAndPortOf(origin);
    return origin.startsWith('https:') ? this.openTls(host, port, options) : this.open(host, port, options);
  }

  private found(host: string, space: AddressSpace): AddressSpace {
    const most = morePublic(space, this.spaces.get(host) ?? space);
    this.spaces.set(host, most);
    return most;
  }
}
