import { TYPE_A, TestNameServer } from '../../shared/src/node/testing/nameServer.ts';
import { ADDRESSES, type HostKind } from './place.ts';

/** A relay asks from another machine. */
const PORT = 53;
/** Short: a name that rebinds is asked for again within the case. */
const TTL_SECONDS = 1;

/** The name server of the bed: A records of the hosts, and nothing else. */
export class NameServer {
  private readonly server: TestNameServer;
  private readonly rebound: Set<string>;

  private constructor(server: TestNameServer, rebound: Set<string>) {
    [this.server, this.rebound] = [server, rebound];
  }

  static async start(): Promise<NameServer> {
    const rebound = new Set<string>();
    const server = await TestNameServer.start((name, type) => {
      const address = rebound.has(name) ? ADDRESSES.loop : addressOf(name);
      if (address === undefined) return null;
      return type === TYPE_A ? [Buffer.from(address.split('.').map(Number))] : [];
    }, { port: PORT, ttlSeconds: TTL_SECONDS });
    return new NameServer(server, rebound);
  }

  /** From now on a host of the kind `rebind` is this machine. */
  rebind(name: string): void {
    this.rebound.add(name);
  }

  /** It leads to where it has led at first: each mode begins alike. */
  restore(name: string): void {
    this.rebound.delete(name);
  }

  close(): void {
    this.server.close();
  }
}

function addressOf(name: string): string | undefined {
  const labels = name.split('.');
  return labels.at(-1) === 'test' ? ADDRESSES[labels.at(-2) as HostKind] : undefined;
}
