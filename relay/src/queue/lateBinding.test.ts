import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const SCRIPT = join(import.meta.dirname, '../testing/lateBinding.ts');
/** What the relay's own namespace is told (docs/relay.md). */
const NOT_SENT_BYTES = 16_384;
/** Small, so that what has left the relay is little. */
const RECEIVE_BYTES = 16_384;
const TURN_BYTES = 16_384;
/** The reader's kernel, the writer's, the turn that was being written, and what TLS and HTTP/2 of the reader hold of a record. */
const KEPT_BYTES = 2 * RECEIVE_BYTES + 2 * NOT_SENT_BYTES + 2 * TURN_BYTES;

const unshare = process.getuid?.() === 0 ? '-n' : '-Urn';
const canUnshare = spawnSync('unshare', [unshare, 'true']).status === 0;

it.skipIf(!canUnshare)('a new rank is on the wire with the next 16 kB, and what the kernel has already', () => {
  const { stdout, stderr } = spawnSync('unshare', [unshare, process.execPath, SCRIPT, String(NOT_SENT_BYTES), String(RECEIVE_BYTES)], { encoding: 'utf8' });
  expect(stderr).toBe('');
  const { formerBytes } = JSON.parse(stdout) as { readonly formerBytes: number };
  expect(formerBytes).toBeLessThanOrEqual(KEPT_BYTES);
});
