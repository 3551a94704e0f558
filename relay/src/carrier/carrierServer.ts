import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { LogSink } from '../../../shared/src/log.ts';
import { fingerprintOf } from '../../../shared/src/node/relay/fingerprint.ts';
import type { ClientRequests } from '../requests/clientRequests.ts';
import type { ServerOpener } from '../tunnels/openServer.ts';
import { Carrier, type ClientUse } from './carrier.ts';
import type { CarrierLimits } from './limits.ts';
import { OpeningRates } from './openingRate.ts';
import { TlsListener, type ListenPlace } from './tlsListener.ts';

export interface CarrierServerNeeds {
  /** PEM. */
  readonly key: string;
  readonly certificate: string;
  /** The name of the client with this fingerprint, as it is now; null for nobody's. */
  readonly nameOf: (fingerprint: string) => string | null;
  readonly opener: Pick<ServerOpener, 'open'>;
  /** What makes the requests of the client with this fingerprint, on connections of its own. */
  readonly newRequests: (fingerprint: string) => ClientRequests;
  readonly limits: CarrierLimits;
  readonly log: LogSink;
}

interface Client extends ClientUse {
  readonly requests: ClientRequests;
  /** In the order of their beginning. */
  readonly carriers: Set<Carrier>;
}

/** Listens for carriers, and lets in who is known by the key of his certificate. */
export class CarrierServer {
  private readonly needs: CarrierServerNeeds;
  private readonly listener: TlsListener;
  private readonly clients = new Map<string, Client>();
  private readonly rates: OpeningRates;

  constructor(needs: CarrierServerNeeds) {
    this.needs = needs;
    const { key, certificate, limits, log } = needs;
    this.rates = new OpeningRates(limits);
    // no authority has a say: whose key it is decides
    this.listener = new TlsListener({ tls: { key, cert: certificate, requestCert: true, rejectUnauthorized: false }, scope: 'carrier', limits, begun: (socket) => this.admit(socket), log });
  }

  /** @throws FirstscreenError E_RELAY_LISTEN */
  listen(where: ListenPlace): Promise<AddressInfo> {
    return this.listener.listen(where, 'relay.json');
  }

  /** Other clients are known now: carriers of those that are not end. */
  clientsChanged(): void {
    for (const [fingerprint, { carriers }] of this.clients) {
      if (this.needs.nameOf(fingerprint) === null) for (const carrier of carriers) carrier.end();
    }
  }

  /** Ends all carriers: who uses them goes direct. */
  close(): Promise<void> {
    return this.listener.close();
  }

  private admit(socket: TLSSocket): void {
    const fingerprint = fingerprintOfPeer(socket);
    const name = fingerprint === null ? null : this.needs.nameOf(fingerprint);
    if (fingerprint === null || name === null) {
      socket.destroy();
      this.needs.log({ level: 'info', scope: 'carrier', message: 'unknown client', fields: { fingerprint } });
      return;
    }
    this.listener.known(socket);
    const { limits } = this.needs;
    const client = this.clients.get(fingerprint) ?? { name, tunnels: 0, requests: this.needs.newRequests(fingerprint), rate: this.rates.of(fingerprint), kept: new Set(), carriers: new Set() };
    this.clients.set(fingerprint, client);
    // a client comes anew when its network has changed, and the old one does not know of its end yet
    const [oldest] = client.carriers;
    if (client.carriers.size >= limits.carriersOfClient) oldest?.end();
    const carrier = new Carrier(socket, client, this.needs);
    client.carriers.add(carrier);
    carrier.onceClosed(() => {
      client.carriers.delete(carrier);
      if (client.carriers.size > 0) return;
      this.clients.delete(fingerprint);
      void client.requests.close();
    });
  }
}

/** Of the certificate whose key the other side has shown to have (RFC 8446, section 4.4.3); null without one. */
function fingerprintOfPeer(socket: TLSSocket): string | null {
  const certificate = socket.getPeerX509Certificate();
  try {
    return certificate === undefined ? null : fingerprintOf(certificate);
  } catch {
    // whatever can not be read is nobody's
    return null;
  }
}
