import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TCP_NOTSENT_LOWAT_BYTES } from '../../../shared/src/relay/listening.ts';
import { MAX_TURN_BYTES } from './sendQueue.ts';

const SCRIPT = join(import.meta.dirname, '../testing/lateBinding.ts');
const HAPROXY = '/usr/sbin/haproxy';
const HAPROXY_SETTINGS = join(import.meta.dirname, '../../deploy/haproxy.cfg');
/** Of the reader's kernel. */
const RECEIVE_BYTES = 65_536;
/** Of an HAProxy whose settings say nothing of it. */
const LARGE_RECEIVE_BYTES = 131_072;
/** The kernel takes the piece that reaches its limit whole: as many segments as it hands on at once (TSO), which are up to four here on a busy machine; and headers are bytes, too. */
const PIECE_BYTES = 8_192;
/** With two kernels and a program more on the same processors. */
const LARGE_PIECE_BYTES = 16_384;
const LIMIT_MS = 60_000;
const unshare = process.getuid?.() === 0 ? '-n' : '-Urn';
const canUnshare = spawnSync('unshare', [unshare, 'sh', '-c', 'command -v ss ip']).status === 0;

interface Bound {
  readonly unsentBytes: number;
  readonly behindBytes: number;
}

/** @param args of the script */
function lateBinding(...args: readonly (string | number)[]): Bound {
  const { stdout, stderr } = spawnSync('unshare', [unshare, process.execPath, SCRIPT, ...args.map(String)], { encoding: 'utf8', timeout: LIMIT_MS });
  expect(stderr).toBe('');
  return JSON.parse(stdout) as Bound;
}

it.skipIf(!canUnshare)('a new rank is on the wire behind what has left already, what the kernel holds unsent, and the turn that was decided', () => {
  const { unsentBytes, behindBytes } = lateBinding(TCP_NOTSENT_LOWAT_BYTES, RECEIVE_BYTES);
  expect(unsentBytes).toBeGreaterThan(0);
  expect(unsentBytes).toBeLessThanOrEqual(TCP_NOTSENT_LOWAT_BYTES + PIECE_BYTES);
  expect(behindBytes).toBeLessThanOrEqual(TCP_NOTSENT_LOWAT_BYTES + PIECE_BYTES + MAX_TURN_BYTES);
});

it.skipIf(!canUnshare || !existsSync(HAPROXY))('through HAProxy as it is deployed, also behind what that may hold by its settings, and its kernel unsent', () => {
  const settings = readFileSync(HAPROXY_SETTINGS, 'utf8');
  const set = (name: string): number => Number(new RegExp(`^ *${name} (\\d+)$`, 'm').exec(settings)?.[1]);
  // the kernel doubles what it is asked for (socket(7))
  const heldBytes = 2 * set('tune.rcvbuf.server') + set('tune.bufsize');
  const { behindBytes } = lateBinding(TCP_NOTSENT_LOWAT_BYTES, LARGE_RECEIVE_BYTES, HAPROXY_SETTINGS);
  expect(behindBytes).toBeLessThanOrEqual(2 * (TCP_NOTSENT_LOWAT_BYTES + LARGE_PIECE_BYTES) + MAX_TURN_BYTES + heldBytes);
});
