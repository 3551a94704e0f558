import type { Socket } from 'node:net';
import { LRUCache } from 'lru-cache';
import { FirstscreenError, coded } from '../../../shared/src/errors.ts';
import { USUAL_PORTS, bareHost } from '../../../shared/src/names/authority.ts';
import { ignoreContinue } from '../../../shared/src/node/upstream/ignoreContinue.ts';
import type { TlsStarter } from '../../../shared/src/node/upstream/startTls.ts';

/** TCP to an address of the public web that a name has. @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT */
export type OpenTcp = (host: string, port: number) => Promise<Socket>;

/** Servers of one client that are known to be away. */
const MAX_FAILURES = 500;
/** What could not be connected to will not be a moment later: those that wait for it hear so at once. */
const FAILURE_MS = 5_000;
/** Of one client, as many as it may have tunnels: each may be kept for ten minutes by its server's word (`ServerAgent`), and a page names as many servers as it likes. */
const MAX_SOCKETS = 512;
/** A browser that is going to ask has asked by then. */
const UNUSED_MS = 10_000;

interface Prepared {
  readonly socket: Promise<Socket>;
  readonly timer: NodeJS.Timeout;
}

/** Sockets of one client to servers, TLS included, each verified as a browser does. One may be opened before it is asked for. */
export class ServerSockets {
  private readonly openTcp: OpenTcp;
  private readonly tls: TlsStarter;
  private readonly failures = new LRUCache<string, FirstscreenError>({ max: MAX_FAILURES, ttl: FAILURE_MS });
  /** By origin. */
  private readonly prepared = new Map<string, Prepared>();
  /** How many there are, or will be, by origin, and in all. */
  private readonly counts = new Map<string, number>();
  private count = 0;
  private readonly maxSockets: number;

  constructor(openTcp: OpenTcp, tls: TlsStarter, maxSockets = MAX_SOCKETS) {
    [this.openTcp, this.tls, this.maxSockets] = [openTcp, tls, maxSockets];
  }

  /** Opens one for the next who asks, where there is none. What goes wrong shows when it is asked for. */
  prepare(origin: string): void {
    if (this.counts.has(origin) || this.failures.has(origin)) return;
    // its server may have closed the one before, whose timer would end this one
    this.forget(origin);
    const socket = this.openCounted(origin);
    const timer = setTimeout(() => this.drop(origin), UNUSED_MS);
    timer.unref();
    this.prepared.set(origin, { socket, timer });
    // who takes it hears of the end
    socket.then((opened) => opened.on('error', () => undefined), () => this.forget(origin));
  }

  /** @throws FirstscreenError E_NAME, E_ADDRESS, E_CONNECT, E_UPSTREAM_TLS, E_RELAY_LIMIT */
  async open(origin: string): Promise<Socket> {
    const prepared = this.forget(origin);
    const failure = this.failures.get(origin);
    if (failure !== undefined) throw failure;
    const socket = await prepared?.socket;
    // its server may have ended it meanwhile, be it its own direction alone
    return socket?.readable === true ? socket : this.openCounted(origin);
  }

  close(): void {
    for (const origin of [...this.prepared.keys()]) this.drop(origin);
  }

  private drop(origin: string): void {
    this.forget(origin)?.socket.then((socket) => socket.destroy(), () => undefined);
  }

  private forget(origin: string): Prepared | undefined {
    const prepared = this.prepared.get(origin);
    clearTimeout(prepared?.timer);
    this.prepared.delete(origin);
    return prepared;
  }

  private async openCounted(origin: string): Promise<Socket> {
    if (this.count >= this.maxSockets) throw new FirstscreenError('E_RELAY_LIMIT', 'The client has as many connections to servers as it may.', 'Go direct.');
    this.counts.set(origin, (this.counts.get(origin) ?? 0) + 1);
    this.count += 1;
    const gone = (): void => {
      this.count -= 1;
      const count = this.counts.get(origin) ?? 1;
      if (count > 1) this.counts.set(origin, count - 1);
      else this.counts.delete(origin);
    };
    try {
      const socket = await this.openNew(origin);
      socket.once('close', gone);
      return socket;
    } catch (error) {
      gone();
      const known = coded(error, 'A connection to a server could not be opened.');
      this.failures.set(origin, known);
      throw known;
    }
  }

  private async openNew(origin: string): Promise<Socket> {
    const { protocol, hostname, port } = new URL(origin);
    const host = bareHost(hostname);
    const opened = await this.openTcp(host, Number(port || USUAL_PORTS[protocol]));
    const socket = protocol === 'https:' ? await this.tls.start(opened, host) : opened;
    if (!('alpnProtocol' in socket && socket.alpnProtocol === 'h2')) ignoreContinue(socket);
    return socket;
  }
}
