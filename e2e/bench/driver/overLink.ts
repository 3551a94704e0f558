import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { BenchError } from '../errors.ts';

const run = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const MESSAGE_CHARACTERS = 2_000;

export const BINARIES = resolve(import.meta.dirname, '../../../build/bin');
/** Of the server's side. */
export const FAR_ADDRESS = '10.99.0.2';

/** A link with a command on each side. */
export interface LinkRun {
  /** Of firstscreen-link. */
  readonly options: readonly string[];
  readonly seed: number;
  /** The commands' words, without blanks; `directory` is a folder of this run, which both see. */
  readonly commands: (directory: string) => Promise<{ readonly near: readonly string[]; readonly far: readonly string[] }>;
}

/** One start of the link. @returns what the near command printed @throws BenchError E_LINK_RUN */
export async function overLink({ options, seed, commands }: LinkRun): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'firstscreen-driver-bench-'));
  try {
    const { near, far } = await commands(directory);
    const args = [...options, '--no-check', '--seed', String(seed), '--control', join(directory, 'link.sock'), '--far', far.join(' '), '--', ...near];
    return (await run(join(BINARIES, 'firstscreen-link'), args, { maxBuffer: OUTPUT_LIMIT_BYTES })).stdout;
  } catch (cause) {
    throw new BenchError('E_LINK_RUN', `The link ${options.join(' ')} did not end well: ${said(cause)}`, 'run it as root, by npm (npm run bench:driver); the link has said above what it misses', { cause });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** What a command that failed has said at last. */
export function said(cause: unknown): string {
  return cause instanceof Error && 'stderr' in cause ? String(cause.stderr).slice(-MESSAGE_CHARACTERS) : String(cause);
}
