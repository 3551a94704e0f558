import { join } from 'node:path';
import { ROOT } from '../browsers/executables.ts';

const LOOPBACK = '127.0.0.1';

/** HAProxy before two relays, as people run it. */
export const HAPROXY = ['/usr/sbin/haproxy', '-db', '-f', join(ROOT, 'relay/deploy/haproxy.cfg')] as const;

/** Where it listens, and where its relays do: ports of loopback. */
export function haproxyEnvironment(port: number, [a, b]: readonly [a: number, b: number]): Readonly<Record<string, string>> {
  return { HAPROXY_BIND: `${LOOPBACK}:${port}`, RELAY_A: `${LOOPBACK}:${a}`, RELAY_B: `${LOOPBACK}:${b}` };
}
