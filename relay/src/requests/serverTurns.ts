import { LRUCache } from 'lru-cache';

/** One request, from its asking to the end of its answer. */
export interface ServerTurn {
  /** Called at once, or when it is its turn. */
  begin(go: () => void): void;
  /** It is over, or wanted no more; again it does nothing. */
  end(): void;
}

interface Waiting {
  readonly level: () => number;
  readonly go: () => void;
}

interface Server {
  running: number;
  readonly waiting: Set<Waiting>;
}

/** Servers that are known to take all at once: what is forgotten waits until a connection says it again. */
const MAX_MULTIPLEXED = 1_000;

/** Requests of one client that their server does not take yet, as over HTTP/1.1 it has a few connections: the most urgent goes next, by what is known then. No I/O. */
export class ServerTurns {
  private readonly limit: number;
  /** By origin. */
  private readonly servers = new Map<string, Server>();
  private readonly multiplexed = new LRUCache<string, true>({ max: MAX_MULTIPLEXED });

  /** @param limit of requests that a server takes at once */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** @param level as `levelOf` gives it; asked whenever one is chosen */
  of(origin: string, level: () => number): ServerTurn {
    let waiting: Waiting | null = null;
    let state: 'new' | 'begun' | 'over' = 'new';
    return {
      begin: (go) => {
        const server = this.serverOf(origin);
        const run = (): void => {
          [state, waiting] = ['begun', null];
          server.running += 1;
          go();
        };
        if (server.running < this.limit || this.multiplexed.has(origin)) return run();
        waiting = { level, go: run };
        server.waiting.add(waiting);
      },
      end: () => {
        const server = this.serverOf(origin);
        if (waiting !== null) server.waiting.delete(waiting);
        if (state === 'begun') server.running -= 1;
        state = 'over';
        this.next(origin, server);
      },
    };
  }

  /** A server speaks HTTP/2. */
  takesAll(origin: string): void {
    this.multiplexed.set(origin, true);
    this.next(origin, this.serverOf(origin));
  }

  private next(origin: string, server: Server): void {
    while (server.waiting.size > 0 && (server.running < this.limit || this.multiplexed.has(origin))) {
      const first = [...server.waiting].reduce((best, each) => (each.level() < best.level() ? each : best));
      server.waiting.delete(first);
      first.go();
    }
    if (server.running === 0) this.servers.delete(origin);
  }

  private serverOf(origin: string): Server {
    const server = this.servers.get(origin) ?? { running: 0, waiting: new Set() };
    this.servers.set(origin, server);
    return server;
  }
}
