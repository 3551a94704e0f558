import { createHash } from 'node:crypto';
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { join } from 'node:path';
import * as v from 'valibot';
import { BenchError } from './errors.ts';
import type { BenchOptions } from './options.ts';
import type { PageFile } from './pages.ts';
import { MAX_ATTEMPTS } from './results.ts';
import type { Pair } from './schedule.ts';
import { WorkerMessage } from './workerMessages.ts';

const JOURNAL_FILE = 'journal.jsonl';
const PLAN_FILE = 'plan.json';
/** Options that say how a run is shown or stopped, and nothing about what is measured. */
const FREE_OPTIONS: ReadonlySet<string> = new Set(['pages', 'limitMinutes', 'out', 'resume', 'json', 'demo']);
/** What makes a load what it is: the product, the test bed, and the code that measures. */
const FINGERPRINTED = ['dist', 'build/bin', 'e2e/analysis', 'e2e/bench', 'e2e/browsers', 'e2e/metrics'];

/** Everything that has to be the same for two loads to belong into one table. */
export type PlanIdentity = Readonly<Record<string, unknown>>;

export async function planIdentity(root: string, options: BenchOptions, pages: readonly PageFile[], versions: Readonly<Record<string, string>>): Promise<PlanIdentity> {
  return {
    ...Object.fromEntries(Object.entries(options).filter(([name]) => !FREE_OPTIONS.has(name))),
    pages: await Promise.all(pages.map(async ({ name, path }) => `${name} ${sha256(await readFile(path))}`)),
    // A commit that changes what is measured changes the fingerprint, too.
    versions: Object.fromEntries(Object.entries(versions).filter(([name]) => name !== 'commit')),
    build: await fingerprint(FINGERPRINTED.map((directory) => join(root, directory))),
  };
}

async function fingerprint(directories: readonly string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const directory of directories) {
    const entries = await readdir(directory, { recursive: true, withFileTypes: true }).catch(() => []);
    const files = entries.filter((entry) => entry.isFile() && !entry.name.includes('.test.')).map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.toSorted()) hash.update(`${file.slice(directory.length)}\0${sha256(await readFile(file))}\0`);
  }
  return hash.digest('hex');
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What a run has measured so far, kept as it comes: a run that is cut short, in whatever way, can be continued. */
export class Journal {
  readonly #file: string;
  /** Of earlier pieces of this run. */
  readonly earlier: readonly WorkerMessage[];

  private constructor(file: string, earlier: readonly WorkerMessage[]) {
    this.#file = file;
    this.earlier = earlier;
  }

  static async begin(outDir: string, identity: PlanIdentity): Promise<Journal> {
    await mkdir(outDir, { recursive: true });
    await writeFile(join(outDir, JOURNAL_FILE), '');
    await writeFile(join(outDir, PLAN_FILE), `${JSON.stringify(identity, null, 2)}\n`);
    return new Journal(join(outDir, JOURNAL_FILE), []);
  }

  /** @throws BenchError E_RESUME when the directory has no run, or one of another plan */
  static async resume(outDir: string, identity: PlanIdentity): Promise<Journal> {
    const file = join(outDir, JOURNAL_FILE);
    const [plan, text] = await Promise.all([readFile(join(outDir, PLAN_FILE), 'utf8'), readFile(file, 'utf8')]).catch((error: unknown) => {
      throw new BenchError('E_RESUME', `Continuing the run in ${outDir}: it has no ${PLAN_FILE} and ${JOURNAL_FILE}`, 'name the output directory of a run that was cut short', { cause: error });
    });
    const other = differences(JSON.parse(plan) as PlanIdentity, JSON.parse(JSON.stringify(identity)) as PlanIdentity);
    if (other.length > 0) throw new BenchError('E_RESUME', `Continuing the run in ${outDir}: not the same ${other.join(', ')}`, 'give the options that it was begun with, on the same build, or begin a new run');
    const kept = finishedLoads(parseLines(text));
    await writeFile(`${file}.new`, kept.map((message) => `${JSON.stringify(message)}\n`).join(''));
    await rename(`${file}.new`, file);
    return new Journal(file, kept);
  }

  /** Written before it returns: a killed bench has lost nothing that it was told. */
  add(message: WorkerMessage): void {
    if (isKept(message)) appendFileSync(this.#file, `${JSON.stringify(message)}\n`);
  }
}

/** Names of what differs. Pure. */
export function differences(before: PlanIdentity, now: PlanIdentity): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].filter((name) => !isDeepStrictEqual(before[name], now[name]));
}

/** The last line may have been cut. */
function parseLines(text: string): WorkerMessage[] {
  return text.split('\n').flatMap((line) => {
    try {
      const message = v.safeParse(WorkerMessage, JSON.parse(line));
      return message.success ? [message.output] : [];
    } catch {
      return [];
    }
  });
}

/** How a run ended, and which page could not be read, is not carried over: it may be otherwise now. */
function isKept({ type }: WorkerMessage): boolean {
  return type === 'ready' || type === 'page' || type === 'load' || type === 'pictures' || type === 'pairDone';
}

/** The messages without attempts of loads that were to be tried again: such a load is made anew. Pure. */
export function finishedLoads(messages: readonly WorkerMessage[]): WorkerMessage[] {
  const finished = finishedIn(messages);
  return messages.filter((message) => isKept(message) && (message.type !== 'load' || finished.has(loadKey(message.load.page, message.load.run, message.load.scheme))));
}

/** The pairs that are not done, each with the schemes that were not loaded yet. Pure. */
export function remainingPairs(pairs: readonly Pair[], messages: readonly WorkerMessage[]): Pair[] {
  const done = new Set(messages.flatMap((message) => (message.type === 'pairDone' ? [loadKey(message.page, message.run, '')] : [])));
  const finished = finishedIn(messages);
  return pairs
    .filter(({ page, run }) => !done.has(loadKey(page, run, '')))
    .map(({ page, run, order }) => ({ page, run, order: order.filter((label) => !finished.has(loadKey(page, run, label))) }));
}

function finishedIn(messages: readonly WorkerMessage[]): Set<string> {
  return new Set(messages.flatMap((message) => (message.type === 'load' && (message.load.failed === null || message.load.attempt === MAX_ATTEMPTS) ? [loadKey(message.load.page, message.load.run, message.load.scheme)] : [])));
}

function loadKey(page: string, run: number, scheme: string): string {
  return JSON.stringify([page, run, scheme]);
}
