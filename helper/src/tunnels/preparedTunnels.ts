import type { Duplex } from 'node:stream';
import { LRUCache } from 'lru-cache';
import { authorityOf, type Destination } from '../../../shared/src/names/authority.ts';

/** A page that is visited asks for what it needs within seconds; servers wait longer than this for a first byte. */
const KEPT_MS = 10_000;
/** Of two navigations, with twelve servers each (MAX_NEEDED_ORIGINS). */
const MAX_KEPT = 24;

/** Null when it could not be made. */
type PreparedTunnel = Promise<Duplex | null>;

/**
 * Connections for tunnels that are expected, made while the page that will ask for them is still on its way: name and TCP handshake are over when its CONNECT comes. Nothing is sent on them, and a
 * failure is nobody's but the CONNECT's that comes.
 */
export class PreparedTunnels {
  private readonly open: (destination: Destination) => Promise<Duplex>;
  /** By server; of one that is taken out somebody else disposes. */
  private readonly kept = new LRUCache<string, PreparedTunnel>({
    max: MAX_KEPT,
    ttl: KEPT_MS,
    ttlAutopurge: true,
    perf: { now: () => performance.now() },
    dispose: (prepared, _server, reason) => void (reason !== 'delete' && prepared.then((socket) => socket?.destroy())),
  });

  /** @param open throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
  constructor(open: PreparedTunnels['open']) {
    this.open = open;
  }

  /** Opens one connection ahead, if there is none. */
  prepare(destination: Destination): void {
    const server = authorityOf(destination);
    if (this.kept.has(server)) return;
    const forget = (socket: Duplex | null): void => {
      if (this.kept.peek(server) !== prepared) return;
      this.kept.delete(server);
      socket?.destroy();
    };
    const prepared: PreparedTunnel = this.open(destination).catch(() => null).then((socket) => {
      if (socket === null) forget(null);
      // an error is followed by the close
      socket?.on('error', () => undefined).once('end', () => forget(socket)).once('close', () => forget(socket));
      return socket;
    });
    this.kept.set(server, prepared);
  }

  /** The connection that was made ahead, or is being made, else a new one. @throws FirstscreenError as `open` */
  async take(destination: Destination): Promise<Duplex> {
    const server = authorityOf(destination);
    const prepared = this.kept.get(server);
    this.kept.delete(server);
    return (await prepared) ?? this.open(destination);
  }

  close(): void {
    for (const prepared of this.kept.values()) void prepared.then((socket) => socket?.destroy());
    this.kept.clear();
  }
}
