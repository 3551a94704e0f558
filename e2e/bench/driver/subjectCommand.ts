import { mkdir, writeFile } from 'node:fs/promises';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { exitOnSignals, outOf, runMain } from '../commandLine.ts';
import { commit as commitNow, machine } from '../machine.ts';
import { intervalText } from './comparison.ts';
import type { Subject } from './subject.ts';

const EXIT_MISSED = 1;

/** A command that measures one of several subjects. */
export interface SubjectCommand {
  /** Begins the name of the folder of results. */
  readonly name: string;
  readonly subjects: Readonly<Record<string, Subject>>;
  readonly defaultSubject: string;
}

/** Runs it with the arguments of this process, whose exit status says how it went. */
export async function runCommand({ name, subjects, defaultSubject }: SubjectCommand): Promise<void> {
  const argv = process.argv.slice(2);
  const [first = ''] = argv;
  const isNamed = Object.hasOwn(subjects, first);
  const subject = isNamed ? first : defaultSubject;
  const list = `Subjects: ${Object.keys(subjects).join(', ')} (default ${defaultSubject})\n\n`;
  await runMain(() => run(`${name}-${subject}`, subjects[subject] as Subject, argv.slice(isNamed ? 1 : 0), list));
}

/** The same of a command that has one. @param name of the folder of results */
export async function runSubject(name: string, subject: Subject): Promise<void> {
  await runMain(() => run(name, subject, process.argv.slice(2), ''));
}

async function run(name: string, { prepare, usage }: Subject, argv: readonly string[], list: string): Promise<number> {
  const startedAt = new Date().toISOString();
  const prepared = prepare(argv, outOf(name, startedAt));
  if (prepared === null) {
    process.stdout.write(`${list}${usage}`);
    return 0;
  }
  exitOnSignals();
  const before = load();
  const { results, rounds, table, pictures = {}, hasMissed = false } = await prepared.measure();
  const loadAverage = [before, load()];
  const [commit, { cpu, cores, kernel }] = [await commitNow(), machine()];
  const head = `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, Linux ${kernel}, load ${loadAverage.map((one) => one.toFixed(1)).join(' before and ')} after; commit ${commit}`;
  const text = [head, ...(rounds === null ? [] : [intervalText(rounds)]), table].join('\n\n');
  await mkdir(prepared.out, { recursive: true });
  await writeFile(join(prepared.out, 'results.json'), `${JSON.stringify({ name, startedAt, finishedAt: new Date().toISOString(), commit, node: process.version, machine: machine(), loadAverage, ...results }, null, 1)}\n`);
  await writeFile(join(prepared.out, 'table.md'), text);
  for (const [picture, svg] of Object.entries(pictures)) await writeFile(join(prepared.out, `${picture}.svg`), svg.text);
  process.stdout.write(text);
  return hasMissed ? EXIT_MISSED : 0;
}

/** Over the last minute: above 0 before, others were at work. */
function load(): number {
  return loadavg()[0] ?? Number.NaN;
}
