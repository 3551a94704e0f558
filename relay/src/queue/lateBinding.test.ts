import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { TCP_NOTSENT_LOWAT_BYTES } from '../../../shared/src/relay/listening.ts';
import { MAX_TURN_BYTES } from './sendQueue.ts';

const SCRIPT = join(import.meta.dirname, '../testing/lateBinding.ts');
/** Of the reader's kernel. */
const RECEIVE_BYTES = 65_536;
/** The kernel takes the piece that reaches its limit whole: as many segments as it hands on at once (TSO), which are up to four here on a busy machine; and headers are bytes, too. */
const PIECE_BYTES = 8_192;
const LIMIT_MS = 60_000;
const unshare = process.getuid?.() === 0 ? '-n' : '-Urn';
const canUnshare = spawnSync('unshare', [unshare, 'sh', '-c', 'command -v ss ip']).status === 0;

it.skipIf(!canUnshare)('a new rank is on the wire behind what has left already, what the kernel holds unsent, and the turn that was decided', () => {
  const { stdout, stderr } = spawnSync('unshare', [unshare, process.execPath, SCRIPT, String(TCP_NOTSENT_LOWAT_BYTES), String(RECEIVE_BYTES)], { encoding: 'utf8', timeout: LIMIT_MS });
  expect(stderr).toBe('');
  const { unsentBytes, behindBytes } = JSON.parse(stdout) as { readonly unsentBytes: number; readonly behindBytes: number };
  expect(unsentBytes).toBeGreaterThan(0);
  expect(unsentBytes).toBeLessThanOrEqual(TCP_NOTSENT_LOWAT_BYTES + PIECE_BYTES);
  expect(behindBytes).toBeLessThanOrEqual(TCP_NOTSENT_LOWAT_BYTES + PIECE_BYTES + MAX_TURN_BYTES);
});
