import type { OpenConnection, UpstreamConnection } from '../upstream/connection.ts';

/** To one origin at once, for all answers that are repaired: what is asked for there is small. */
const MAX_CONNECTIONS = 4;
/** As long as holes of a lossy link may be apart. */
const IDLE_MS = 10_000;

interface Idle {
  readonly connection: UpstreamConnection;
  readonly timer: NodeJS.Timeout;
}

/** Connections of one origin. */
class Side {
  busy = 0;
  readonly idle: Idle[] = [];
  readonly waiting: (() => void)[] = [];
}

/** Connections beside those that answers come on, for parts of these: past the scheduler, which may have given every connection to an answer that waits for its parts. */
export class SideConnections {
  private readonly open: OpenConnection;
  private readonly sides = new Map<string, Side>();
  private nextId = 0;
  /** Of the machine's network: connections of former ones are not used. */
  private generation = 0;

  constructor(open: OpenConnection) {
    this.open = open;
  }

  /** Lends a connection that nothing else is asked on meanwhile. @throws as `open`, and what `work` throws */
  async use<T>(origin: string, work: (connection: UpstreamConnection) => Promise<T>): Promise<T> {
    const side = this.sides.get(origin) ?? new Side();
    this.sides.set(origin, side);
    while (side.busy >= MAX_CONNECTIONS) await new Promise<void>((resolve) => side.waiting.push(resolve));
    side.busy += 1;
    const { generation } = this;
    try {
      const connection = this.takeIdle(side) ?? (await this.open(origin, this.nextId++, () => undefined, true));
      try {
        return await work(connection);
      } finally {
        if (generation === this.generation && connection.isOpen && !connection.isBusy) this.keep(side, connection);
        else connection.destroy();
      }
    } finally {
      side.busy -= 1;
      const next = side.waiting.shift();
      if (next === undefined) this.forget(origin, side);
      else next();
    }
  }

  /** Those of another network, and all at the end. */
  retire(): void {
    this.generation += 1;
    for (const [origin, side] of this.sides) {
      for (let one = side.idle.pop(); one !== undefined; one = side.idle.pop()) {
        clearTimeout(one.timer);
        one.connection.destroy();
      }
      this.forget(origin, side);
    }
  }

  private takeIdle(side: Side): UpstreamConnection | null {
    for (let one = side.idle.pop(); one !== undefined; one = side.idle.pop()) {
      clearTimeout(one.timer);
      if (one.connection.isOpen) return one.connection;
    }
    return null;
  }

  private keep(side: Side, connection: UpstreamConnection): void {
    const timer = setTimeout(() => {
      side.idle.splice(side.idle.findIndex((one) => one.connection === connection), 1);
      connection.destroy();
      this.forget(connection.origin, side);
    }, IDLE_MS);
    timer.unref();
    side.idle.push({ connection, timer });
  }

  private forget(origin: string, side: Side): void {
    if (side.busy === 0 && side.idle.length === 0 && side.waiting.length === 0) this.sides.delete(origin);
  }
}
