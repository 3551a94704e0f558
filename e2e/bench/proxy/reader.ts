import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import * as v from 'valibot';
import { BINARIES } from '../driver/overLink.ts';
import { BenchError } from '../errors.ts';
import type { ProxyBenchOptions } from './options.ts';
import { ReaderMessage, type ReaderPlan } from './readerPlan.ts';
import type { ReaderRun, Results } from './results.ts';

/** In a namespace of its own, where nobody else can have it. */
const SERVER_PORT = 8080;
const LINK = join(BINARIES, 'firstscreen-link');
const STDERR_CHARACTERS = 2_000;

/** IB: a reader that stops, over the emulated link, without and with our proxy. @throws BenchError with the link's code, E_BUILD, or E_TESTBED */
export async function measureReader(options: ProxyBenchOptions, temporaryDir: string, tell: (run: ReaderRun) => void): Promise<Pick<Results, 'reader' | 'link'>> {
  if (!existsSync(LINK)) throw new BenchError('E_BUILD', `Starting the benchmark: ${LINK} is missing`, 'run it by npm (npm run bench:proxy), which builds what is missing');
  const plan: ReaderPlan = {
    temporaryDir, linkSocket: join(temporaryDir, 'link.sock'), serverSocket: join(temporaryDir, 'far.sock'), serverPort: SERVER_PORT,
    pairs: options.pairs, bytes: options.readerBytes, stopMs: options.stopMs, receiveBuffers: [...options.receiveBuffers], seed: options.seed,
  };
  const planFile = join(temporaryDir, 'reader.json');
  await writeFile(planFile, JSON.stringify(plan));
  // a far command has no stdin to end with, and ends with the link
  const far = [process.execPath, join(import.meta.dirname, 'bodyServer.ts'), '--host', '0.0.0.0', '--port', String(SERVER_PORT), '--control', plan.serverSocket, '--stay'].map(quoted).join(' ');
  const child = spawn(
    LINK,
    ['--profile', options.profile, '--seed', String(options.seed), '--control', plan.linkSocket, '--far', far, '--', process.execPath, join(import.meta.dirname, 'readerWorker.ts'), planFile],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  );
  child.stdin.on('error', () => undefined);
  const kill = (): void => void child.kill('SIGKILL');
  process.on('exit', kill);
  const result: { reader: ReaderRun[]; link: Results['link'] } = { reader: [], link: null };
  let stderr = '';
  child.stderr.on('data', (bytes: Buffer) => (stderr = (stderr + bytes.toString()).slice(-STDERR_CHARACTERS)));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const message = v.parse(ReaderMessage, JSON.parse(line));
    if (message.type === 'end') result.link = message.link;
    else {
      result.reader.push(message.run);
      tell(message.run);
    }
  });
  try {
    const [status] = (await once(child, 'close')) as [number | null];
    if (status !== 0 || result.link === null) throw failure(status, stderr);
  } finally {
    process.off('exit', kill);
  }
  return result;
}

const Coded = v.object({ code: v.pipe(v.string(), v.startsWith('E_')), message: v.string(), next: v.optional(v.string(), '') });

/** The link tells its errors as a JSON line; anything else is shown as it is. */
function failure(status: number | null, stderr: string): BenchError {
  for (const line of stderr.split('\n').filter((text) => text.startsWith('{'))) {
    const coded = v.safeParse(v.pipe(v.string(), v.parseJson(), Coded), line);
    if (coded.success) return new BenchError(coded.output.code, coded.output.message, coded.output.next);
  }
  return new BenchError('E_TESTBED', `the link ended with status ${status ?? 'unknown'}: ${stderr.trim()}`, 'run the part reader by itself (--parts reader)');
}

/** For /bin/sh, which runs the far command. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
