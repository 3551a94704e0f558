import type { IncomingHttpHeaders } from 'node:http2';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { LogSink } from '../../../shared/src/log.ts';
import { RELAY_OWN_HOST, RELAY_OWN_STATUS } from '../../../shared/src/relay/relayLink.ts';
import { Carrier, type ClientUse, type Guarded } from '../carrier/carrier.ts';
import type { CarrierLimits } from '../carrier/limits.ts';
import { OpeningRates } from '../carrier/openingRate.ts';
import { TlsListener, type ListenPlace } from '../carrier/tlsListener.ts';
import type { ServerOpener } from '../tunnels/openServer.ts';
import type { FailureLimit } from './failureLimit.ts';
import type { ProxyCertificate } from './proxyCertificate.ts';

/** Answers without credentials on one connection: a browser asks once and then knows. */
const MAX_CHALLENGES = 32;
const CHALLENGE = { ':status': 407, 'proxy-authenticate': 'Basic realm="firstscreen-relay", charset="UTF-8"' };
const METHOD_REFUSED = { ':status': 405, allow: 'CONNECT' };
/** To an extension of the browser, which may read what its proxy says. */
const OWN_ANSWER = { ':status': RELAY_OWN_STATUS, 'access-control-allow-origin': '*', 'cache-control': 'no-store' };

export interface ProxyServerNeeds {
  readonly certificate: ProxyCertificate;
  /** Whose credentials these are, as it is now; null for nobody's. */
  readonly userOf: (authorization: string) => string | null;
  readonly opener: Pick<ServerOpener, 'open'>;
  readonly failures: FailureLimit;
  readonly limits: CarrierLimits;
  readonly log: LogSink;
}

/** What the connections of one user have in common. */
interface User extends ClientUse {
  /** In the order of their beginning, with what each was let in with last. */
  readonly carriers: Map<Carrier, string>;
}

/** A connection of a browser, which shows whose it is with its requests. */
interface BrowserConnection {
  readonly socket: TLSSocket;
  readonly address: string;
  challenges: number;
  readonly timer: ReturnType<typeof setTimeout>;
}

/** An HTTPS proxy for browsers: CONNECT for users with a token, to where the carriers' tunnels may go, in the order of their queue; nothing else. */
export class ProxyServer {
  private readonly needs: ProxyServerNeeds;
  private readonly listener: TlsListener;
  private readonly users = new Map<string, User>();
  private readonly rates: OpeningRates;

  constructor(needs: ProxyServerNeeds) {
    this.needs = needs;
    const { certificate, failures, limits, log } = needs;
    this.rates = new OpeningRates(limits);
    this.listener = new TlsListener({ tls: certificate, scope: 'proxy', limits, isShutOut: (address) => failures.isLocked(address), begun: (socket) => this.begin(socket), log });
  }

  /** @throws FirstscreenError E_RELAY_LISTEN */
  listen(where: ListenPlace): Promise<AddressInfo> {
    return this.listener.listen(where, 'proxy.json');
  }

  /** For connections that begin from now on. */
  renew(certificate: ProxyCertificate): void {
    this.listener.renew(certificate);
  }

  /** Other users are known now: connections of those who are not end. */
  usersChanged(): void {
    for (const { carriers } of this.users.values()) {
      for (const [carrier, authorization] of carriers) if (this.needs.userOf(authorization) === null) carrier.end();
    }
  }

  /** Ends all connections: browsers go direct. */
  close(): Promise<void> {
    return this.listener.close();
  }

  private begin(socket: TLSSocket): void {
    const connection: BrowserConnection = { socket, address: socket.remoteAddress ?? '', challenges: 0, timer: setTimeout(() => carrier.end(), this.needs.limits.handshakeMs) };
    const guard = (headers: IncomingHttpHeaders): Guarded => this.judge(headers, connection, carrier);
    const carrier: Carrier = new Carrier(socket, this.newUse('browser'), { ...this.needs, guard });
    carrier.onceClosed(() => {
      clearTimeout(connection.timer);
      for (const [name, { carriers }] of this.users) if (carriers.delete(carrier) && carriers.size === 0) this.users.delete(name);
    });
  }

  private judge(headers: IncomingHttpHeaders, connection: BrowserConnection, carrier: Carrier): Guarded {
    const { ':method': method, ':scheme': scheme, ':authority': authority } = headers;
    const isDirect = method === 'GET' && scheme === 'https';
    // Firefox has no other way to ask whether it is let in
    const authorization = isDirect ? headers.authorization : headers['proxy-authorization'];
    if (authorization === undefined) return this.challenge(connection);
    // also of one that was begun before
    const isLocked = this.needs.failures.isLocked(connection.address);
    const name = isLocked ? null : this.needs.userOf(authorization);
    if (name === null) {
      if (!isLocked) this.needs.failures.failed(connection.address);
      this.needs.log({ level: 'info', scope: 'proxy', message: 'unknown user', fields: { isLocked } });
      // a browser whose token was taken back goes directly then, within the same request; asked once more it shows an error
      return isDirect ? this.challenge(connection) : 'end';
    }
    const client = this.admitted(name, authorization, connection, carrier);
    if (method === 'CONNECT') return { client };
    return { answer: isDirect || (method === 'GET' && authority?.endsWith(`.${RELAY_OWN_HOST}`) === true) ? OWN_ANSWER : METHOD_REFUSED };
  }

  private challenge(connection: BrowserConnection): Guarded {
    connection.challenges += 1;
    return connection.challenges > MAX_CHALLENGES ? 'end' : { answer: CHALLENGE };
  }

  private admitted(name: string, authorization: string, connection: BrowserConnection, carrier: Carrier): ClientUse {
    const user: User = this.users.get(name) ?? { ...this.newUse(name), carriers: new Map() };
    // also one more user of a connection
    if (!user.carriers.has(carrier)) {
      clearTimeout(connection.timer);
      this.listener.known(connection.socket);
      this.needs.log({ level: 'info', scope: 'proxy', message: 'user let in', fields: { client: name } });
      // what is left over from networks that a machine has left does not know of its end yet
      const [oldest] = user.carriers.keys();
      if (user.carriers.size >= this.needs.limits.carriersOfClient) oldest?.end();
    }
    connection.challenges = 0;
    this.users.set(name, user);
    user.carriers.set(carrier, authorization);
    return user;
  }

  private newUse(name: string): ClientUse {
    return { name, tunnels: 0, requests: null, rate: this.rates.of(name), kept: new Set() };
  }
}
