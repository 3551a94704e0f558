import type { LogSink } from '../../../shared/src/log.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import type { AddressSources, HostResolver } from '../../../shared/src/names/resolveHost.ts';
import { systemSearchDomains } from '../names/systemSources.ts';
import { openTcp, type LinkView } from '../upstream/openSocket.ts';
import { RelayCarrier } from './relayCarrier.ts';
import type { RelayConfig } from './relayConfig.ts';
import { RelayHosts } from './relayHosts.ts';
import { RelayedSocket, type RelayedSocketOptions } from './relayedSocket.ts';

export interface RelayOptions {
  readonly resolver: Pick<HostResolver, 'resolve'>;
  readonly sources: Pick<AddressSources, 'hosts'>;
  readonly link: LinkView;
  readonly isPublic: IsPublic;
  readonly log: LogSink;
}

/** The way through the relay, for the hosts that it may carry while it is there. */
export class RelayRoute {
  private readonly carrier: Pick<RelayCarrier, 'tunnel' | 'networkChanged' | 'close'>;
  private readonly hosts: Pick<RelayHosts, 'mayCarry' | 'refused'>;

  constructor(carrier: RelayRoute['carrier'], hosts: RelayRoute['hosts']) {
    this.carrier = carrier;
    this.hosts = hosts;
  }

  /** The relay's own address is the user's word, of whatever network it is. */
  static start(config: RelayConfig, { resolver, sources, link, isPublic, log }: RelayOptions): RelayRoute {
    const connect = async (): ReturnType<typeof openTcp> => openTcp(await resolver.resolve(config.host), config.port, link);
    const carrier = new RelayCarrier({ config, connect, roundTrip: (rttMs) => link.roundTrip(rttMs), log });
    return new RelayRoute(carrier, new RelayHosts({ isPublic, named: () => sources.hosts(), searched: systemSearchDomains() }));
  }

  /** @param level of what is to be asked for, as `levelOf` @returns null where the connection is to be made directly */
  open(host: string, port: number, level: number, options: Omit<RelayedSocketOptions, 'refused'>): RelayedSocket | null {
    const tunnel = this.hosts.mayCarry(host) ? this.carrier.tunnel(host, port, level) : null;
    return tunnel && new RelayedSocket(tunnel, { ...options, refused: (code) => this.hosts.refused(host, code) });
  }

  /** @param isUsable as `RelayCarrier.networkChanged` */
  networkChanged(isUsable: (localAddress: string) => boolean): void {
    this.carrier.networkChanged(isUsable);
  }

  close(): void {
    this.carrier.close();
  }
}
