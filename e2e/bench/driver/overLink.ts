import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { LINK } from '../../browsers/executables.ts';
import { untilExit, withDirectory } from '../commandLine.ts';
import { BenchError } from '../errors.ts';

const run = promisify(execFile);
const OUTPUT_LIMIT_BYTES = 64 * 1024 * 1024;
const MESSAGE_CHARACTERS = 2_000;

/** Of the server's side. */
export const FAR_ADDRESS = '10.99.0.2';

/** A link with a command on each side. */
export interface LinkRun {
  /** Of firstscreen-link. */
  readonly options: readonly string[];
  readonly seed: number;
  /** The commands' words, without blanks; `directory` is a folder of this run, which both see. */
  readonly commands: (directory: string) => Commands | Promise<Commands>;
}

interface Commands {
  readonly near: readonly string[];
  readonly far: readonly string[];
}

/** A link that ends takes all that runs over it along; what its sides make for a time is in the run's folder. */
const runIn = (directory: string) => ({ maxBuffer: OUTPUT_LIMIT_BYTES, signal: untilExit, env: { ...process.env, TMPDIR: directory } });

/** One start of the link. @returns what the near command printed @throws BenchError E_LINK_RUN */
export async function overLink(link: LinkRun): Promise<string> {
  return withCommands(link, async (near, args, directory) => (await run(LINK, [...args, ...near], runIn(directory))).stdout);
}

/** Names the near side's network namespace, and keeps it. */
const STANDS_STILL = ['/bin/sh', '-c', 'readlink /proc/self/ns/net && exec sleep infinity'];

/** The same with a near command that has the machine's own processes, and nothing of the near side but its network. @throws BenchError E_LINK_RUN */
export async function inNearNetwork(link: LinkRun): Promise<string> {
  return withCommands(link, async (near, args, directory) => {
    const child = spawn(LINK, [...args, ...STANDS_STILL], { stdio: ['ignore', 'pipe', 'inherit'], signal: untilExit });
    const ended = once(child, 'exit');
    try {
      const [name] = (await Promise.race([once(createInterface({ input: child.stdout }), 'line'), ended.then(() => Promise.reject(new Error('the link has ended')))])) as [string];
      return (await run('nsenter', [`--net=${await networkPath(name)}`, '--', ...near], runIn(directory))).stdout;
    } finally {
      child.kill('SIGTERM');
      await ended;
    }
  });
}

/** Where the network namespace of this name (`net:[...]`) is found, while a process is in it. @throws Error: none is */
export async function networkPath(name: string): Promise<string> {
  for (const pid of await readdir('/proc')) {
    const path = join('/proc', pid, 'ns/net');
    if ((await readlink(path).catch(() => '')) === name) return path;
  }
  throw new Error(`no process is in ${name}`);
}

async function withCommands({ options, seed, commands }: LinkRun, start: (near: readonly string[], args: readonly string[], directory: string) => Promise<string>): Promise<string> {
  try {
    return await withDirectory('firstscreen-driver-bench-', async (directory) => {
      const { near, far } = await commands(directory);
      return start(near, [...options, '--no-check', '--seed', String(seed), '--control', join(directory, 'link.sock'), '--far', far.join(' '), '--'], directory);
    });
  } catch (cause) {
    throw new BenchError('E_LINK_RUN', `The link ${options.join(' ')} did not end well: ${said(cause)}`, 'run it as root, by npm (npm run bench:driver); the link has said above what it misses', { cause });
  }
}

/** What a command that failed has said at last. */
export function said(cause: unknown): string {
  return cause instanceof Error && 'stderr' in cause ? String(cause.stderr).slice(-MESSAGE_CHARACTERS) : String(cause);
}
