import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { BenchError } from '../errors.ts';
import type { DriverBenchOptions, Ends, Kind } from './options.ts';

const run = promisify(execFile);
const FAR_ADDRESS = '10.99.0.2';
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;

const CopiesSchema = v.object({ copies: v.number(), copyBytes: v.number() });
const LineSchema = v.union([
  v.strictObject({ ms: v.number(), failed: v.optional(v.string()) }),
  v.strictObject({ status: v.object({ counters: v.object({ rar: CopiesSchema }) }) }),
]);

export interface BatchPlan {
  readonly kind: Kind;
  readonly ends: Ends;
  /** The same for all ends of one round. */
  readonly round: number;
}

export interface Batch extends BatchPlan {
  readonly ms: readonly number[];
  readonly failures: readonly string[];
  /** Of the near driver. */
  readonly copies: number;
  readonly copyBytes: number;
}

/** One start of the link, with exchanges over it. @throws BenchError E_EXCHANGES */
export async function runBatch({ kind, ends, round }: BatchPlan, { profile, link, batch, seed }: DriverBenchOptions, binaries: string): Promise<Batch> {
  const side = [process.execPath, join(import.meta.dirname, 'side.ts'), binaries];
  const near = [...side, 'near', ends === 'none' ? 'plain' : 'driver', FAR_ADDRESS, kind, String(batch)];
  const far = [...side, 'far', ends === 'both' ? 'driver' : 'plain'];
  const directory = await mkdtemp(join(tmpdir(), 'firstscreen-driver-bench-'));
  const args = ['--profile', profile, ...link, '--no-check', '--seed', String(seed + round), '--control', join(directory, 'link.sock'), '--far', far.join(' '), '--', ...near];
  try {
    const { stdout } = await run(join(binaries, 'firstscreen-link'), args, { maxBuffer: OUTPUT_LIMIT_BYTES });
    return { kind, ends, round, ...parseOutput(stdout) };
  } catch (cause) {
    const text = cause instanceof Error && 'stderr' in cause ? String(cause.stderr).slice(-2_000) : String(cause);
    throw new BenchError('E_EXCHANGES', `Exchanges over ${profile} did not end well: ${text}`, 'run it as root, by npm (npm run bench:driver); the link has said above what it misses', { cause });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function parseOutput(stdout: string): Omit<Batch, keyof BatchPlan> {
  const lines = stdout.split('\n').flatMap((line) => (line.startsWith('{"ms"') || line.startsWith('{"status"') ? [v.parse(LineSchema, JSON.parse(line))] : []));
  const exchanges = lines.flatMap((line) => ('ms' in line ? [line] : []));
  const rar = lines.flatMap((line) => ('status' in line ? [line.status.counters.rar] : []))[0];
  return { ms: exchanges.map(({ ms }) => ms), failures: exchanges.flatMap(({ failed }) => failed ?? []), copies: rar?.copies ?? 0, copyBytes: rar?.copyBytes ?? 0 };
}

/** What the machine's TCP is. */
export async function congestionControl(): Promise<string> {
  return (await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8')).trim();
}
