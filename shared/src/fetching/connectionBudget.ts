/** One server's claim on connections. */
export interface ServerDemand {
  readonly origin: string;
  /** Bytes still to come from it: expected of what was not sent, and the rest of what was. */
  readonly bytes: number;
  /** Objects still to come: a connection beyond their number would have nothing to do. */
  readonly objects: number;
  /** Of these, the ones that the first screen waits for. */
  readonly urgentObjects: number;
  /** It speaks HTTP/2, and one connection carries everything. */
  readonly isMultiplexed: boolean;
}

/**
 * How many connections each server gets.
 *
 * @param total connections of all these servers together
 */
export type BudgetPolicy = (servers: readonly ServerDemand[], total: number) => Map<string, number>;

/** What browsers open to one HTTP/1.1 server. */
export const STOCK_CONNECTIONS_PER_SERVER = 6;
/** A server's share may grow to this (NSF report, figure of connections per server: more do not help). */
const MAX_CONNECTIONS_PER_SERVER = 12;

/** What a stock browser opens to a server that has so much to do. */
export function stockConnections({ objects, isMultiplexed }: Pick<ServerDemand, 'objects' | 'isMultiplexed'>): number {
  return isMultiplexed ? 1 : Math.min(STOCK_CONNECTIONS_PER_SERVER, Math.max(1, objects));
}

/** CONV: every server the same. */
export const equalConnections: BudgetPolicy = (servers) => new Map(servers.map((server) => [server.origin, stockConnections(server)]));

/**
 * CM, connection management (NSF report, section VI): the total is shared by bytes, so that servers end together. Each connection beyond a server's first
 * goes to the one with most bytes per connection (highest averages): one more here is one less elsewhere. Before that each server has what a stock browser would open for what the first screen
 * waits for: bytes that can wait take no connection from it.
 */
export const connectionsByBytes: BudgetPolicy = (servers, total) => {
  const shares = servers.map((server) => ({ server, connections: 1, most: server.isMultiplexed ? 1 : Math.min(MAX_CONNECTIONS_PER_SERVER, server.objects) }));
  let left = total - shares.length;
  for (const share of shares) {
    const more = Math.max(0, Math.min(left, STOCK_CONNECTIONS_PER_SERVER - 1, share.most - 1, share.server.urgentObjects - 1));
    share.connections += more;
    left -= more;
  }
  for (; left > 0; left -= 1) {
    const open = shares.filter(({ connections, most }) => connections < most);
    if (open.length === 0) break;
    open.reduce((a, b) => (b.server.bytes / b.connections > a.server.bytes / a.connections ? b : a)).connections += 1;
  }
  return new Map(shares.map(({ server, connections }) => [server.origin, connections]));
};
