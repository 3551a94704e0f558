import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket } from 'node:tls';
import type { LogSink } from '../../../shared/src/log.ts';
import { fingerprintOf } from '../../../shared/src/relay/identity.ts';
import type { ClientRequests } from '../requests/clientRequests.ts';
import type { ServerOpener } from '../tunnels/openServer.ts';
import { Carrier, type ClientUse } from './carrier.ts';
import type { CarrierLimits } from './limits.ts';
import { listenOn, type ListenPlace } from './listenOn.ts';
import { OpeningRate } from './openingRate.ts';

const PROTOCOL = 'h2';

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
  private readonly server: Server;
  private readonly clients = new Map<string, Client>();
  private readonly sockets = new Set<Socket>();
  private handshakes = 0;

  constructor(needs: CarrierServerNeeds) {
    this.needs = needs;
    const { key, certificate, limits } = needs;
    this.server = createServer({
      key,
      cert: certificate,
      minVersion: 'TLSv1.3',
      maxVersion: 'TLSv1.3',
      ALPNProtocols: [PROTOCOL],
      requestCert: true,
      // no authority has a say: whose key it is decides
      rejectUnauthorized: false,
      handshakeTimeout: limits.handshakeMs,
      noDelay: true,
    });
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.once('close', () => this.sockets.delete(socket));
      this.handshakes += 1;
      if (this.handshakes > limits.handshakes) socket.destroy();
    });
    // each connection comes to one of these
    this.server.on('tlsClientError', (error, socket) => {
      this.handshakes -= 1;
      socket.destroy();
      this.needs.log({ level: 'debug', scope: 'carrier', message: 'no handshake', fields: { reason: 'code' in error ? String(error.code) : error.name } });
    });
    this.server.on('secureConnection', (socket) => {
      this.handshakes -= 1;
      // while it is looked at nobody else listens; the close says enough
      socket.on('error', () => undefined);
      void this.admit(socket);
    });
  }

  /** @throws FirstscreenError E_RELAY_LISTEN */
  listen(where: ListenPlace): Promise<AddressInfo> {
    return listenOn(this.server, where, 'relay.json');
  }

  /** Other clients are known now: carriers of those that are not end. */
  clientsChanged(): void {
    for (const [fingerprint, { carriers }] of this.clients) {
      if (this.needs.nameOf(fingerprint) === null) for (const carrier of carriers) carrier.end();
    }
  }

  /** Ends all carriers: who uses them goes direct. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const { carriers } of this.clients.values()) for (const carrier of carriers) carrier.end();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private async admit(socket: TLSSocket): Promise<void> {
    const fingerprint = await fingerprintOfPeer(socket);
    const name = fingerprint === null ? null : this.needs.nameOf(fingerprint);
    if (fingerprint === null || name === null || socket.alpnProtocol !== PROTOCOL || !this.server.listening) {
      socket.destroy();
      this.needs.log({ level: 'info', scope: 'carrier', message: 'unknown client', fields: { fingerprint } });
      return;
    }
    if (socket.destroyed) return;
    const { limits } = this.needs;
    const client = this.clients.get(fingerprint) ?? { name, tunnels: 0, requests: this.needs.newRequests(fingerprint), rate: new OpeningRate(limits.openingsPerSecond, limits.openingsAtOnce), kept: new Set(), carriers: new Set() };
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
async function fingerprintOfPeer(socket: TLSSocket): Promise<string | null> {
  const certificate = socket.getPeerX509Certificate();
  // whatever a library can not read is nobody's
  return certificate === undefined ? null : fingerprintOf(certificate.raw).catch(() => null);
}
