import { once } from 'node:events';
import { createConnection, createServer, isIP, type Server, type Socket } from 'node:net';
import type { LogSink } from '../../../shared/src/log.ts';
import { listening } from '../../../shared/src/node/net/listening.ts';
import { pump } from '../spool/pump.ts';
import { SpooledBody, type SpoolOptions } from '../spool/spooledBody.ts';
import type { DriverConnection } from './driverConnection.ts';
import { isGivenUp } from './givenUp.ts';

/** No program gives a connection up sooner. */
const LATE_MS = 1_000;

/** Takes what a server sends to a program. */
export interface Taker {
  /** @returns a promise when no more may come before it is resolved */
  data(chunk: Buffer): Promise<void> | null;
  /** @param error what has ended it before its end; null for none. After the first time it says nothing new */
  end(error: Error | null): void;
}

/** What a server sends goes by it, as it reads what the program sends. */
export interface Follower extends Taker {
  /** The program has sent this. */
  asked(chunk: Buffer): void;
  /** The program has gone. */
  close(): void;
}

/** Who follows a connection. @returns null where nobody does */
export type Follow = (remote: Socket, to: Taker) => Follower | null;

export interface SpoolRelayOptions {
  /** For registered programs that are led here. */
  readonly spool: SpoolOptions;
  /** Gives who follows their connections, when there is a first one; nobody by default. */
  readonly following?: () => Promise<Follow>;
  readonly log: LogSink;
}

/**
 * IB for any local program (A3, section 3.4): the driver leads connections of registered programs here, and what servers send is read at the line's rate
 * whatever the program takes. Who connects by itself is turned away: the driver knows of no place that it was meant to go to.
 */
export class SpoolRelay {
  private readonly servers: readonly [ipv4: Server, ipv6: Server];
  private readonly driver: DriverConnection;
  private readonly options: SpoolRelayOptions;
  private readonly sockets = new Set<Socket>();

  private constructor(driver: DriverConnection, options: SpoolRelayOptions) {
    this.driver = driver;
    this.options = options;
    const server = (): Server => createServer({ allowHalfOpen: true, noDelay: true }, (local) => void this.take(local));
    this.servers = [server(), server()];
  }

  /** @throws FirstscreenError E_DRIVER_REFUSED, E_DRIVER_UNAVAILABLE */
  static async open(driver: DriverConnection, options: SpoolRelayOptions): Promise<SpoolRelay> {
    const relay = new SpoolRelay(driver, options);
    try {
      await driver.ask('spool', await relay.listen());
    } catch (error) {
      relay.close();
      throw error;
    }
    return relay;
  }

  /** Nobody is led here any more; connections under way go on. */
  retire(): void {
    for (const server of this.servers) server.close();
  }

  /** Connections under way are cut off. */
  close(): void {
    this.retire();
    for (const socket of this.sockets) socket.destroy();
  }

  /** @returns the ports; without `port6` where this machine has no IPv6 on loopback */
  private async listen(): Promise<{ port: number; port6?: number }> {
    const [ipv4, ipv6] = this.servers;
    const { port } = await listening(ipv4, { port: 0, host: '127.0.0.1' });
    try {
      return { port, port6: (await listening(ipv6, { port: 0, host: '::1' })).port };
    } catch {
      return { port };
    }
  }

  private async take(local: Socket): Promise<void> {
    this.watch(local);
    const sinceMs = performance.now();
    try {
      const { address, port } = await this.driver.meant(local.remoteAddress ?? '', local.remotePort ?? 0);
      if (isIP(address) === 0) throw new Error('no place to go to');
      const follow = await this.follow();
      const remote = createConnection({ host: address, port, allowHalfOpen: true, noDelay: true });
      this.watch(remote);
      await once(remote, 'connect');
      // the kernel keeps what a program has sent before it gave up: its request would be made after all, and again where it tries once more
      const isOver = performance.now() - sinceMs > LATE_MS && (await isGivenUp(local));
      if (isOver || local.destroyed || remote.destroyed) {
        remote.resetAndDestroy();
        throw new Error('one end has gone');
      }
      relay(local, remote, this.options.spool, follow);
    } catch {
      // as a server that does not answer, as nearly as a connection that is there already can tell
      local.resetAndDestroy();
      this.options.log({ level: 'info', scope: 'spool', message: 'a connection could not be led on' });
    }
  }

  /** Where nobody can be had who follows connections, they pass as they are. */
  private async follow(): Promise<Follow | undefined> {
    try {
      return await this.options.following?.();
    } catch {
      this.options.log({ level: 'warn', scope: 'spool', message: 'connections are not followed' });
      return undefined;
    }
  }

  private watch(socket: Socket): void {
    this.sockets.add(socket);
    socket.on('error', () => undefined).once('close', () => this.sockets.delete(socket));
  }
}

function relay(local: Socket, remote: Socket, spool: SpoolOptions, follow?: Follow): void {
  const body = new SpooledBody(spool);
  const program: Taker = { data: (chunk) => (body.write(chunk) ? null : body.room()), end: (error) => body.end(error) };
  // what its follower has lost count of is broken off, and passed on no further
  const breakOff = (): void => void local.resetAndDestroy();
  const follower = followerOf(remote, program, follow, breakOff);
  const taker = follower ?? program;
  if (follower !== null) local.on('data', (chunk: Buffer) => follower.asked(chunk));
  local.pipe(remote);
  local.once('close', (isBroken) => {
    if (isBroken) remote.resetAndDestroy();
    // what it has sent before is still on its way
    else remote.destroySoon();
    follower?.close();
    void body.close();
  });
  remote.on('data', (chunk: Buffer) => {
    const wait = taker.data(chunk);
    if (wait === null) return;
    remote.pause();
    wait.then(() => remote.resume(), breakOff);
  });
  remote.once('end', () => taker.end(null));
  remote.once('close', () => {
    taker.end(new Error('cut off'));
    // nobody takes what the program still sends; its end is to be seen
    local.resume();
  });
  pump(body, local, () => local.destroyed).catch(breakOff);
}

/** Who follows a connection; null where that fails, as nothing has passed yet. What goes wrong later ends this connection alone. */
function followerOf(remote: Socket, to: Taker, follow: Follow | undefined, breakOff: () => void): Follower | null {
  const within = <T>(work: () => T, broken: () => void): T | null => {
    try {
      return work();
    } catch {
      broken();
      return null;
    }
  };
  const follower = within(() => follow?.(remote, to) ?? null, () => undefined);
  return follower && {
    asked: (chunk) => void within(() => follower.asked(chunk), breakOff),
    data: (chunk) => within(() => follower.data(chunk), breakOff),
    end: (error) => void within(() => follower.end(error), breakOff),
    close: () => void within(() => follower.close(), breakOff),
  };
}
