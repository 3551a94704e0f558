import ipaddr from 'ipaddr.js';
import { LRUCache } from 'lru-cache';

/** Wrong tokens of one network in this time; who has a token is wrong once, with one that was taken back. */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
const MAX_NETWORKS = 10_000;
/** What a home has of IPv6 (RFC 6177). */
const IPV6_PREFIX_BYTES = 8;

/** Who has sent wrong tokens lately. A token can not be guessed; this keeps those who try from the processor and the log. */
export class FailureLimit {
  private readonly failures: LRUCache<string, number>;

  /** @param now milliseconds of a monotonic clock */
  constructor(now: () => number) {
    this.failures = new LRUCache({ max: MAX_NETWORKS, ttl: WINDOW_MS, ttlResolution: 0, perf: { now } });
  }

  failed(address: string): void {
    const network = networkOf(address);
    // from the first one on: its end does not move
    this.failures.set(network, (this.failures.get(network) ?? 0) + 1, { noUpdateTTL: true });
  }

  isLocked(address: string): boolean {
    return (this.failures.get(networkOf(address)) ?? 0) >= MAX_FAILURES;
  }
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === 'ipv4' ? parsed.toString() : parsed.toByteArray().slice(0, IPV6_PREFIX_BYTES).join('.');
}
