import { readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { LoadFailure } from '../../metrics/failure.ts';
import type { LinkControl } from '../../metrics/testbed.ts';
import { monotonicMs } from '../../metrics/wallClock.ts';

/** Of the TCP connection; a helper makes it when its proxy starts. */
const CONNECT_LIMIT_MS = 10_000;
const POLL_MS = 50;
/** TLS, and the first words of both sides, follow one another without a longer silence. */
const SILENT_RTTS = 2;
const MIN_SILENT_MS = 200;

const ESTABLISHED = '01';

/** Waits until the helper of a load speaks with its relay, as that of a user does long before a page is opened. @param before carriers that were there already */
export async function newCarrier(link: LinkControl, address: string, before: ReadonlySet<string>, rttMs: number): Promise<void> {
  const limitMs = CONNECT_LIMIT_MS + SILENT_RTTS * rttMs;
  const deadline = monotonicMs() + limitMs;
  while ([...(await carriers(address))].every((port) => before.has(port))) {
    if (monotonicMs() > deadline) throw new LoadFailure('RELAY', `the helper has not reached its relay in ${limitMs / 1000} s`);
    await sleep(POLL_MS);
  }
  const silentMs = Math.max(MIN_SILENT_MS, SILENT_RTTS * rttMs);
  await sleep(silentMs);
  while (monotonicMs() < deadline && (await link.dataIdleMs()) < silentMs) await sleep(POLL_MS);
}

/** The connections of this network namespace to an address, as the kernel tells them; by their own ends. */
export async function carriers(address: string): Promise<ReadonlySet<string>> {
  return connectionsTo(address, await readFile('/proc/net/tcp', 'utf8'));
}

/** @param table /proc/net/tcp: addresses are in hexadecimal, the bytes of a little-endian machine. Pure. */
export function connectionsTo(address: string, table: string): ReadonlySet<string> {
  const wanted = address.split('.').toReversed().map((byte) => Number(byte).toString(16).padStart(2, '0')).join('').toUpperCase();
  return new Set(
    table.split('\n').flatMap((line) => {
      const [, own = '', other = '', state] = line.trim().split(/\s+/);
      return other.startsWith(`${wanted}:`) && state === ESTABLISHED ? [own] : [];
    }),
  );
}
