import { readFile } from 'node:fs/promises';

/** Whether a network namespace of its own can have BBR, which a relay needs: there are only the controls that the machine allows everybody. */
export async function hasBbr(): Promise<boolean> {
  const allowed = await readFile('/proc/sys/net/ipv4/tcp_allowed_congestion_control', 'utf8').catch(() => '');
  return allowed.trim().split(/\s+/).includes('bbr');
}
