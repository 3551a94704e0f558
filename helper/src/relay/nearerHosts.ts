import { LRUCache } from 'lru-cache';
import { nameOfHost } from '../../../shared/src/names/authority.ts';

const MAX_HOSTS = 1_000;
/** From the first that is known of a host; then all is learnt anew, as its name may lead elsewhere. */
const KNOWN_MS = 3_600_000;
/** Of the relay's handshakes one may have lost a packet, or come while the relay had much to do. */
const MIN_TUNNELS = 3;
/** Of the relay's round trips to a server before a connection of TLS by it is there: TCP and TLS. */
const FAR_RTTS = 2;

/** Less is not worth a connection that has no place in the relay's order. */
const MIN_GAIN_MS = 50;

/** What is known of a host. */
interface Ways {
  /** The relay's shortest handshake of TCP with it, of so many tunnels. */
  farMs: number;
  tunnels: number;
  /** How long a connection of TLS took directly, the last time. */
  directMs: number;
}

/**
 * Hosts that are nearer than the relay's way to them (docs/adr/0089), by what connections that were made anyway have shown, in one network and while this
 * process lives. The least that the relay's way can take, one round trip to the relay and two from there, is compared with all that the direct one took:
 * name, TCP and TLS, behind whatever stood in the link's queue. Who is wrong in this is so for the relay.
 */
export class NearerHosts {
  private readonly hosts = new LRUCache<string, Ways>({ max: MAX_HOSTS, ttl: KNOWN_MS, perf: { now: () => performance.now() } });
  /** To the relay. */
  private leastRttMs = Infinity;

  /** @param host as in a URL */
  has(host: string): boolean {
    const ways = this.hosts.get(nameOfHost(host));
    return ways !== undefined && ways.tunnels >= MIN_TUNNELS && ways.directMs + MIN_GAIN_MS < this.leastRttMs + FAR_RTTS * ways.farMs;
  }

  /** To the relay and back takes so long, or less. */
  roundTrip(rttMs: number): void {
    this.leastRttMs = Math.min(this.leastRttMs, rttMs);
  }

  /** The relay has connected to it, by a handshake that took so long. */
  tunnelled(host: string, farMs: number): void {
    const ways = this.waysTo(host);
    ways.farMs = Math.min(ways.farMs, farMs);
    ways.tunnels += 1;
  }

  /** A connection of TLS was there directly after so long. @param directMs Infinity where there was none */
  opened(host: string, directMs: number): void {
    this.waysTo(host).directMs = directMs;
  }

  /** Another network: nothing is known of it. */
  forget(): void {
    this.hosts.clear();
    this.leastRttMs = Infinity;
  }

  private waysTo(host: string): Ways {
    const name = nameOfHost(host);
    const known = this.hosts.get(name);
    if (known !== undefined) return known;
    const ways = { farMs: Infinity, tunnels: 0, directMs: Infinity };
    this.hosts.set(name, ways);
    return ways;
  }
}
