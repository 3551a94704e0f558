import type { Socket } from 'node:net';
import { authorityOf, type Destination } from '../http/requestTarget.ts';

/** A page that is visited asks for what it needs within seconds; servers wait longer than this for a first byte. */
const KEPT_MS = 10_000;
/** Of two navigations, with twelve servers each (neededOrigins.ts). */
const MAX_KEPT = 24;

/** One connection ahead, whoever comes for it. */
interface PreparedTunnel {
  /** Null when it could not be made. */
  readonly socket: Promise<Socket | null>;
  readonly timer: NodeJS.Timeout;
}

/**
 * Connections for tunnels that are expected, made while the page that will ask for them is still on its way: name and TCP handshake are over when its CONNECT comes. Nothing is sent on them, and a
 * failure is nobody's but the CONNECT's that comes.
 */
export class PreparedTunnels {
  private readonly open: (destination: Destination) => Promise<Socket>;
  /** By server, the oldest first. */
  private readonly kept = new Map<string, PreparedTunnel>();

  /** @param open throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
  constructor(open: PreparedTunnels['open']) {
    this.open = open;
  }

  /** Opens one connection ahead, if there is none. */
  prepare(destination: Destination): void {
    const server = authorityOf(destination);
    if (this.kept.has(server)) return;
    const forget = (): void => {
      if (this.kept.get(server) === prepared) this.drop(server);
    };
    const prepared: PreparedTunnel = {
      socket: this.open(destination).then(
        (socket) => {
          // an error is followed by the close
          socket.on('error', () => undefined);
          socket.once('end', forget);
          socket.once('close', forget);
          return socket;
        },
        () => {
          forget();
          return null;
        },
      ),
      timer: setTimeout(() => this.drop(server), KEPT_MS),
    };
    this.kept.set(server, prepared);
    for (const oldest of this.kept.keys()) if (this.kept.size > MAX_KEPT) this.drop(oldest);
  }

  /** The connection that was made ahead, or is being made, else a new one. @throws FirstscreenError as `open` */
  async take(destination: Destination): Promise<Socket> {
    return (await this.remove(authorityOf(destination))?.socket) ?? this.open(destination);
  }

  close(): void {
    for (const server of [...this.kept.keys()]) this.drop(server);
  }

  private drop(server: string): void {
    void this.remove(server)?.socket.then((socket) => socket?.destroy());
  }

  private remove(server: string): PreparedTunnel | undefined {
    const prepared = this.kept.get(server);
    this.kept.delete(server);
    clearTimeout(prepared?.timer);
    return prepared;
  }
}
