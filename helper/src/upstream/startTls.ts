import type { Socket } from 'node:net';
import { isIP } from 'node:net';
import { connect, createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { FirstscreenError } from '../../../shared/src/errors.ts';

const ALPN = ['h2', 'http/1.1'];
/** Servers whose sessions are kept: resuming one spares the certificates' bytes (RFC 8446, section 2.2). */
const MAX_SESSIONS = 500;

export interface TlsOptions {
  /** As in a URL. */
  readonly host: string;
  readonly protocols?: readonly string[];
}

/** TLS towards servers, with whom the machine and Node trust. Nothing is ever accepted that does not verify. */
export class TlsStarter {
  private readonly trusted: () => SecureContext;
  private context: SecureContext | undefined;
  private readonly sessions = new Map<string, Buffer>();

  /** @param trusted made once, with the first connection */
  constructor(trusted: () => SecureContext = machineTrust) {
    this.trusted = trusted;
  }

  /** Makes TLS of a connection. @throws FirstscreenError E_UPSTREAM_TLS; the connection is closed then */
  async start(socket: Socket, { host, protocols = ALPN }: TlsOptions): Promise<TLSSocket> {
    const name = host.replace(/^\[|\]$/g, '');
    const session = this.sessions.get(host);
    const secured = connect({
      socket,
      host: name,
      ...(isIP(name) === 0 && { servername: name }),
      ALPNProtocols: [...protocols],
      secureContext: (this.context ??= this.trusted()),
      ...(session && { session }),
    });
    secured.on('session', (next: Buffer) => this.keep(host, next));
    try {
      await new Promise<void>((resolve, reject) => {
        secured.once('secureConnect', resolve);
        secured.once('error', reject);
        secured.once('close', () => reject(new Error('closed during the handshake')));
      });
    } catch (error) {
      secured.destroy();
      this.sessions.delete(host);
      throw new FirstscreenError('E_UPSTREAM_TLS', 'A server could not be verified, or does not speak TLS.', 'The browser is asked to try itself.', { cause: error });
    }
    return secured;
  }

  private keep(host: string, session: Buffer): void {
    this.sessions.delete(host);
    this.sessions.set(host, session);
    for (const oldest of this.sessions.keys()) if (this.sessions.size > MAX_SESSIONS) this.sessions.delete(oldest);
  }
}

/** Whom Node and this machine trust. To read all of them takes tens of milliseconds. */
function machineTrust(): SecureContext {
  return createSecureContext({ ca: [...new Set([...getCACertificates('default'), ...getCACertificates('system')])], minVersion: 'TLSv1.2' });
}
