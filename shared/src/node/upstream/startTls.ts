import { constants } from 'node:crypto';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect, createSecureContext, getCACertificates, type SecureContext, type TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { FirstscreenError } from '../../errors.ts';
import { bareHost } from '../../names/authority.ts';

const ALPN = ['h2', 'http/1.1'];
/** Servers whose sessions are kept: resuming one spares the certificates' bytes (RFC 8446, section 2.2). */
const MAX_SESSIONS = 500;
/** Who waits for a connection waits for this one; browsers' limit, too (Firefox: network.http.tls_handshake_timeout). */
const HANDSHAKE_LIMIT_MS = 30_000;
/** A record (RFC 8446, section 5.1): what nobody takes stays in the kernel (attemptTcp.ts). Of a stream's options the types know none. */
const BUFFERS = { highWaterMark: 16 * 1024 };

/** By the authorities that are added: the first takes 25 ms of processor, each 0.9 MB, and a relay has many clients. It has nothing of a connection: sessions are each starter's own. */
const CONTEXTS = new Map<string | null, SecureContext>();

/** TLS towards servers. Nothing is ever accepted that does not verify. */
export class TlsStarter {
  private readonly added: string | null;
  private readonly sessions = new LRUCache<string, Buffer>({ max: MAX_SESSIONS });

  /** @param added certificates of authorities, PEM; null for none */
  constructor(added: string | null) {
    this.added = added;
  }

  /**
   * Makes what connections need, before a page waits for one: whom helpers trust as servers, Mozilla's list as Node
   * ships it, and what the user has added, whatever the environment says. Any other server, as one of a company's own
   * authority, is for the browser to judge, through a tunnel.
   */
  prepare(): SecureContext {
    const context = CONTEXTS.get(this.added) ?? createSecureContext({
      ca: [...getCACertificates('bundled'), ...(this.added === null ? [] : [this.added])],
      minVersion: 'TLSv1.2',
      ciphers: constants.defaultCoreCipherList,
    });
    CONTEXTS.set(this.added, context);
    return context;
  }

  /**
   * Makes TLS of a connection. What the connection itself fails with, if that has a code, is told as it is. A server may ask for a certificate of the client and go on without one; it gets none
   * from us.
   *
   * @param host as in a URL
   * @throws FirstscreenError E_UPSTREAM_TLS, E_CLIENT_CERTIFICATE, or the connection's own; it is closed then
   */
  async start(socket: Duplex, host: string, protocols: readonly string[] = ALPN): Promise<TLSSocket> {
    const name = bareHost(host);
    const session = this.sessions.get(host);
    const secured = connect({
      socket,
      host: name,
      ...(isIP(name) === 0 && { servername: name }),
      ALPNProtocols: [...protocols],
      secureContext: this.prepare(),
      // NODE_TLS_REJECT_UNAUTHORIZED has no say
      rejectUnauthorized: true,
      ...(session && { session }),
      ...BUFFERS,
    });
    secured.on('session', (next: Buffer) => {
      // one that is resumed has no such request
      if (!asksForCertificate(secured)) this.sessions.set(host, next);
    });
    const limit = setTimeout(() => secured.destroy(new Error('the handshake takes too long')), HANDSHAKE_LIMIT_MS);
    try {
      await new Promise<void>((resolve, reject) => {
        secured.once('secureConnect', resolve);
        secured.once('error', reject);
        secured.once('close', () => reject(new Error('closed during the handshake')));
      });
    } catch (error) {
      secured.destroy();
      if (socket.errored instanceof FirstscreenError) throw socket.errored;
      this.sessions.delete(host);
      throw new FirstscreenError('E_UPSTREAM_TLS', 'A server could not be verified, or does not speak TLS.', 'The browser is asked to try itself.', { cause: error });
    } finally {
      clearTimeout(limit);
    }
    const wanted = new FirstscreenError('E_CLIENT_CERTIFICATE', 'The server asks for a certificate of the user.', 'The browser is asked to try itself.');
    if (!asksForCertificate(secured)) {
      // some ask by a second handshake, when they know which path is asked for (TLS 1.2, renegotiation: IIS, Apache)
      secured.on('secure', () => asksForCertificate(secured) && secured.destroy(wanted));
      return secured;
    }
    secured.destroy();
    throw wanted;
  }
}

/** What a server has sent of signature algorithms: to a client it does so in a CertificateRequest alone (RFC 8446, section 4.3.2; RFC 5246, section 7.4.4). */
function asksForCertificate(secured: TLSSocket): boolean {
  return secured.getSharedSigalgs().length > 0;
}
