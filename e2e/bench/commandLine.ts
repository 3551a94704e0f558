import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { BenchError } from './errors.ts';

const EXIT_FAILED = 1;
const EXIT_OPTION = 2;
/** What other arguments mend. */
const OF_ARGUMENTS: ReadonlySet<string> = new Set(['E_OPTION', 'E_PAGES', 'E_RESUME', 'E_LINK_OPTION']);

/** Of an error, for people. */
export function codedText({ code, message, next }: Readonly<Record<'code' | 'message' | 'next', string>>): string {
  return `${code}: ${message}\n  next: ${next}\n`;
}

/** Runs a command, whose status is this process's; what ends it is told with its code and the next step. */
export async function runMain(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    const isCoded = error instanceof BenchError;
    process.stderr.write(isCoded ? codedText(error) : `E_INTERNAL: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
    process.exitCode = isCoded && OF_ARGUMENTS.has(error.code) ? EXIT_OPTION : EXIT_FAILED;
  }
}

/** The same of a command with options, which tells its help where that is wanted. @param name of the folder of results. @param parse null: help is wanted */
export async function runWithOptions<Values>(name: string, usage: string, parse: (argv: readonly string[], defaultOut: string) => Values | null, run: (values: Values) => Promise<number>): Promise<void> {
  await runMain(async () => {
    const values = parse(process.argv.slice(2), outOf(name));
    if (values !== null) return run(values);
    process.stdout.write(usage);
    return 0;
  });
}

/** Where the results of a command go that was told no place. @param startedAt as ISO 8601 */
export function outOf(name: string, startedAt = new Date().toISOString()): string {
  return join('out', `${name}-${startedAt.slice(0, 19).replaceAll(':', '-')}`);
}

/** Uses a directory that goes afterwards, or with this process. */
export async function withDirectory<T>(prefix: string, use: (directory: string) => Promise<T>): Promise<T> {
  const directory = mkdtempSync(join(tmpdir(), prefix));
  const remove = (): void => rmSync(directory, { recursive: true, force: true, maxRetries: 10 });
  process.on('exit', remove);
  try {
    return await use(directory);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** Signals end this process by its `exit`, at which whatever it has started and made goes. */
export function exitOnSignals(): void {
  for (const [signal, status] of [['SIGINT', 130], ['SIGTERM', 143]] as const) process.on(signal, () => process.exit(status));
}

const exiting = new AbortController();
process.once('exit', () => exiting.abort());

/** A child that is started with it does not outlive this process. */
export const untilExit: AbortSignal = exiting.signal;
