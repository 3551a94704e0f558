import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { createServer, type Server, type TLSSocket, type TlsOptions } from 'node:tls';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { bareHost, type Destination } from '../../../shared/src/names/authority.ts';
import { listening } from '../../../shared/src/node/net/listening.ts';
import { reasonOf } from '../../../shared/src/node/reasonOf.ts';
import type { CarrierLimits } from './limits.ts';

/** Over HTTP/1.1 each tunnel would be a connection of its own, and later than the direct way. */
const PROTOCOL = 'h2';

/** A place, or the descriptor of a socket that listens already. */
export type ListenPlace = Destination | { readonly fd: number };

export interface TlsListenerNeeds {
  /** The key, its certificate, and whether those who come have to show one. */
  readonly tls: Pick<TlsOptions, 'key' | 'cert' | 'requestCert' | 'rejectUnauthorized'>;
  readonly scope: 'carrier' | 'proxy';
  readonly limits: Pick<CarrierLimits, 'handshakes' | 'handshakeMs'>;
  /** Whether nobody from this address is listened to; anybody is by default. */
  readonly isShutOut?: (address: string) => boolean;
  /** A connection of HTTP/2 by TLS 1.3. */
  readonly begun: (socket: TLSSocket) => void;
  readonly log: LogSink;
}

/**
 * Listens for connections of HTTP/2 by TLS 1.3. Those that have not shown whose they are have so many places, and one more takes that of the oldest: who holds them all keeps others out only for as long
 * as he takes them all again in the time of one handshake.
 */
export class TlsListener {
  private readonly needs: TlsListenerNeeds;
  private readonly server: Server;
  private readonly sockets = new Set<Socket>();
  /** By their ends, which TCP and TLS have in common, in the order of their beginning. */
  private readonly strangers = new Map<string, Socket>();

  constructor(needs: TlsListenerNeeds) {
    this.needs = needs;
    const { tls, scope, limits, begun, log } = needs;
    this.server = createServer({ ...tls, minVersion: 'TLSv1.3', ALPNProtocols: [PROTOCOL], handshakeTimeout: limits.handshakeMs, noDelay: true });
    this.server.on('connection', (socket: Socket) => this.came(socket));
    this.server.on('tlsClientError', (error, socket) => {
      socket.destroy();
      log({ level: 'debug', scope, message: 'no handshake', fields: { reason: reasonOf(error) } });
    });
    this.server.on('secureConnection', (socket) => {
      // while it is looked at nobody else listens; the close says enough
      socket.on('error', () => undefined);
      if (socket.alpnProtocol === PROTOCOL && !socket.destroyed && this.server.listening) begun(socket);
      else socket.destroy();
    });
  }

  /** @param says the file that says where @throws FirstscreenError E_RELAY_LISTEN */
  async listen(where: ListenPlace, says: 'relay.json' | 'proxy.json'): Promise<AddressInfo> {
    try {
      return await listening(this.server, 'fd' in where ? where : { port: where.port, host: bareHost(where.host) });
    } catch (cause) {
      throw new FirstscreenError('E_RELAY_LISTEN', `The relay can not listen where ${says} says (${reasonOf(cause)}).`, 'See whether another program listens there, and whether this user may; a relay of a unit has its ports from its socket unit.', { cause });
    }
  }

  /** It has shown whose it is. */
  known(socket: TLSSocket): void {
    this.strangers.delete(endsOf(socket));
  }

  /** For connections that begin from now on. */
  renew({ key, cert }: Pick<TlsOptions, 'key' | 'cert'>): void {
    this.server.setSecureContext({ key, cert, minVersion: 'TLSv1.3' });
  }

  /** Ends all connections. */
  async close(): Promise<void> {
    const closed = once(this.server, 'close');
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }

  private came(socket: Socket): void {
    const { limits, isShutOut } = this.needs;
    const ends = endsOf(socket);
    this.sockets.add(socket);
    socket.once('close', () => {
      this.sockets.delete(socket);
      if (this.strangers.get(ends) === socket) this.strangers.delete(ends);
    });
    if (isShutOut?.(socket.remoteAddress ?? '') === true) {
      socket.destroy();
      return;
    }
    const [oldest] = this.strangers;
    if (oldest !== undefined && this.strangers.size >= limits.handshakes) {
      this.strangers.delete(oldest[0]);
      oldest[1].destroy();
    }
    this.strangers.set(ends, socket);
  }
}

/** No two connections have the same at a time. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return [remoteAddress, remotePort, localAddress].join(' ');
}
