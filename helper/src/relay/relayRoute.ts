import { LRUCache } from 'lru-cache';
import type { ErrorCode } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import type { IsPublic } from '../../../shared/src/names/addressPolicy.ts';
import type { AddressSources, HostResolver } from '../../../shared/src/names/resolveHost.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { destinationOf } from '../http/requestTarget.ts';
import { systemSearchDomains } from '../names/systemSources.ts';
import { openTcp, type LinkView } from '../upstream/openSocket.ts';
import type { CodingTerms } from './codingTerms.ts';
import type { PromisedRequest } from './pushedAnswers.ts';
import type { FormerBodies } from './bodyStore.ts';
import { NearerHosts } from './nearerHosts.ts';
import type { RefusedHosts } from './refusedHosts.ts';
import { RelayCarrier } from './relayCarrier.ts';
import type { RelayConfig } from './relayConfig.ts';
import { RelayHosts } from './relayHosts.ts';
import { mayGain, placeOf, tellsOfLink, type RelayPlace } from './relayPlace.ts';
import { RelayedConnection } from './relayedConnection.ts';
import { RelayedSocket, type RelayedSocketOptions } from './relayedSocket.ts';
import { TerminatedHosts } from './terminatedHosts.ts';

export interface RelayOptions {
  readonly resolver: Pick<HostResolver, 'resolve'>;
  readonly sources: Pick<AddressSources, 'hosts'>;
  readonly link: LinkView;
  readonly isPublic: IsPublic;
  /** Hosts that answer the relay otherwise than they would the user, and go direct. */
  readonly refusedHosts: Pick<RefusedHosts, 'has' | 'answered'>;
  /** Of these hosts nobody may look into connections. */
  readonly isKeptClosed: (host: string) => boolean;
  /** Whether something that the relay pushes is wanted. */
  readonly wantsPushed: (request: PromisedRequest) => boolean;
  /** What the relay may do now to the coding of answers. */
  readonly coding: () => CodingTerms;
  /** Former bodies of this end; null where none are kept. */
  readonly bodies: FormerBodies | null;
  /** Whether the link is so slow that the relay's way, which is longer, gains more than it costs. */
  readonly pays: () => boolean;
  /** Of the wall clock. */
  readonly wallNow: () => number;
  readonly log: LogSink;
}

/** What the relay may see into. */
export interface Termination {
  readonly hosts: Pick<TerminatedHosts, 'has' | 'besides'>;
  readonly refusedHosts: Pick<RefusedHosts, 'answered'>;
  readonly coding: () => CodingTerms;
  readonly bodies: FormerBodies | null;
  readonly wallNow: () => number;
}

/** A relay that has too much to do makes no requests for so long. */
const LIMITED_MS = 10_000;
/** Of hosts whose requests the relay can not make: they have tunnels, for as long as this process lives. */
const MAX_TUNNELLED = 1_000;
/** What a browser has to see to by itself, through a tunnel. */
const FOR_A_TUNNEL: ReadonlySet<ErrorCode> = new Set(['E_UPSTREAM_TLS', 'E_CLIENT_CERTIFICATE', 'E_RELAY_UNSUPPORTED']);

/** The way through the relay, for the hosts that it may carry while it is there. */
export class RelayRoute {
  private readonly carrier: Pick<RelayCarrier, 'rttMs' | 'tunnel' | 'requests' | 'tellKept' | 'networkChanged' | 'close'>;
  private readonly hosts: Pick<RelayHosts, 'mayCarry' | 'refused'>;
  private readonly termination: Termination | null;
  private readonly pays: () => boolean;
  private readonly nearerHosts = new NearerHosts();
  private readonly tunnelled = new LRUCache<string, true>({ max: MAX_TUNNELLED });
  private limitedUntilMs = -Infinity;

  /**
   * @param termination null where the relay makes no requests by itself
   * @param pays whether new connections go by it now
   */
  constructor(carrier: RelayRoute['carrier'], hosts: RelayRoute['hosts'], termination: Termination | null = null, pays = (): boolean => true) {
    [this.carrier, this.hosts, this.termination, this.pays] = [carrier, hosts, termination, pays];
  }

  /**
   * The relay's own address is the user's word, of whatever network it is.
   *
   * @param seen where it is
   */
  static start(config: RelayConfig, { resolver, sources, link, isPublic, refusedHosts, isKeptClosed, wantsPushed, coding, bodies, pays, wallNow, log }: RelayOptions, seen = placeOf): RelayRoute {
    let place: RelayPlace = 'beyond';
    const roundTrip = (rttMs: number): void => {
      if (tellsOfLink(place, rttMs)) link.roundTrip(rttMs);
    };
    const connect = async (): ReturnType<typeof openTcp> => {
      const opened = await openTcp(await resolver.resolve(config.host), config.port, { rttMs: () => link.rttMs(), roundTrip: () => undefined });
      place = seen(opened.socket, isPublic);
      roundTrip(opened.rttMs);
      if (!mayGain(place, opened.rttMs)) log({ level: 'info', scope: 'relay', message: 'is in this network: connections are direct' });
      return opened;
    };
    const terminated = new TerminatedHosts(config.terminate, isKeptClosed);
    const carrier = new RelayCarrier({
      config,
      connect,
      roundTrip,
      wantsPushed: (request) => terminated.has(request.host) && wantsPushed(request),
      log,
    });
    const isRefused = (host: string): boolean => refusedHosts.has(host, wallNow());
    const hosts = new RelayHosts({ isPublic, named: () => sources.hosts(), searched: systemSearchDomains(), isRefused });
    return new RelayRoute(carrier, hosts, { hosts: terminated, refusedHosts, coding, bodies, wallNow }, () => mayGain(place, carrier.rttMs) && pays());
  }

  /** @param level of what is to be asked for, as `levelOf` @returns null where the connection is to be made directly */
  open(host: string, port: number, level: number, options: Omit<RelayedSocketOptions, 'refused'>): RelayedSocket | null {
    this.nearerHosts.roundTrip(this.carrier.rttMs);
    const tunnel = this.pays() && this.hosts.mayCarry(host) && !this.nearerHosts.has(host) ? this.carrier.tunnel(host, port, level) : null;
    void tunnel?.answer.then((answer) => {
      if (answer.type === 'connected' && answer.farMs !== null) this.nearerHosts.tunnelled(host, answer.farMs);
    });
    return tunnel && new RelayedSocket(tunnel, { ...options, refused: (code) => this.hosts.refused(host, code) });
  }

  /** As `NearerHosts.opened`. */
  openedDirectly(host: string, directMs: number): void {
    this.nearerHosts.roundTrip(this.carrier.rttMs);
    this.nearerHosts.opened(host, directMs);
  }

  /**
   * A connection on which the relay makes the requests.
   *
   * @returns null for a server that it may not see into, or can not, and where it is not there
   */
  terminate(origin: string, id: number, onClosed: () => void): RelayedConnection | null {
    const { termination } = this;
    const { host } = destinationOf(origin);
    const carrier = this.carrier.requests();
    if (termination === null || carrier === null || !this.terminates(origin)) return null;
    this.tellKept();
    // its first request may come later, when the browser's own handshake with us is over
    carrier.connect(origin);
    return new RelayedConnection(id, origin, carrier, onClosed, {
      isUsable: () => this.carrier.requests() === carrier && this.mayTerminate(host, termination),
      refused: (code) => this.refused(host, code, termination.wallNow()),
      coding: () => termination.coding(),
      bodies: termination.bodies,
      servers: termination.hosts.besides(origin),
      answered: (headers, status, response) => void this.answered({ origin, headers }, status, response),
    });
  }

  /** As `RefusedHosts.answered`, whoever has made the request. */
  answered({ origin, headers }: { readonly origin: string; readonly headers: RawHeaders }, status: number, response: RawHeaders): boolean {
    const { termination } = this;
    return termination?.refusedHosts.answered(destinationOf(origin).host, headers, status, response, termination.wallNow()) === true;
  }

  /** Whether the relay would make the requests on a connection to this server that is opened now. */
  terminates(origin: string): boolean {
    return this.termination !== null && this.carrier.requests() !== null && this.pays() && this.mayTerminate(destinationOf(origin).host, this.termination);
  }

  /** As `PushedAnswers.cookieFor`; nothing is promised while the relay is not there. */
  promisedCookie(url: string, headers: RawHeaders): string | null | undefined {
    return this.carrier.requests()?.promisedCookie(url, headers);
  }

  /** The relay keeps nothing that was erased here, by this helper or another process. */
  tellKept(): void {
    const name = this.termination?.bodies?.name() ?? null;
    if (name !== null) this.carrier.tellKept(name);
  }

  /** @param isUsable as `RelayCarrier.networkChanged` */
  networkChanged(isUsable: (localAddress: string) => boolean): void {
    this.nearerHosts.forget();
    this.carrier.networkChanged(isUsable);
  }

  close(): void {
    this.carrier.close();
  }

  private mayTerminate(host: string, { hosts, wallNow }: Termination): boolean {
    return hosts.has(host) && this.hosts.mayCarry(host) && !this.tunnelled.has(host) && wallNow() >= this.limitedUntilMs;
  }

  private refused(host: string, code: ErrorCode, nowMs: number): void {
    if (code === 'E_RELAY_LIMIT') this.limitedUntilMs = nowMs + LIMITED_MS;
    else if (FOR_A_TUNNEL.has(code)) this.tunnelled.set(host, true);
    else this.hosts.refused(host, code);
  }
}
