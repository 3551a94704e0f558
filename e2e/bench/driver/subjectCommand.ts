import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { BenchError } from '../errors.ts';
import { machine } from '../machine.ts';
import type { Subject } from './subject.ts';

const EXIT_FAILED = 1;
const EXIT_OPTION = 2;

/** A command that measures one of several subjects. */
export interface SubjectCommand {
  /** Begins the name of the folder of results. */
  readonly name: string;
  readonly subjects: Readonly<Record<string, Subject>>;
  readonly defaultSubject: string;
}

/** Runs it with the arguments of this process, whose exit status says how it went. */
export async function runCommand(command: SubjectCommand): Promise<void> {
  try {
    await run(command, process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof FirstscreenError || error instanceof BenchError)) throw error;
    process.stderr.write(`${error.code}: ${error.message}\n  next: ${error.next}\n`);
    process.exitCode = error.code === 'E_OPTION' ? EXIT_OPTION : EXIT_FAILED;
  }
}

async function run({ name, subjects, defaultSubject }: SubjectCommand, [first = '', ...others]: readonly string[]): Promise<void> {
  const isNamed = Object.hasOwn(subjects, first);
  const subject = isNamed ? first : defaultSubject;
  const { prepare, usage } = subjects[subject] as Subject;
  const startedAt = new Date().toISOString();
  const prepared = prepare(isNamed || first === '' ? others : [first, ...others], join('out', `${name}-${subject}-${startedAt.slice(0, 19).replaceAll(':', '-')}`));
  if (prepared === null) return void process.stdout.write(`Subjects: ${Object.keys(subjects).join(', ')} (default ${defaultSubject})\n\n${usage}`);
  const { results, table, pictures = {} } = await prepared.measure();
  const { cpu, cores, kernel } = machine();
  const text = `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, Linux ${kernel}\n\n${table}`;
  await mkdir(prepared.out, { recursive: true });
  await writeFile(join(prepared.out, 'results.json'), `${JSON.stringify({ subject, startedAt, machine: machine(), ...results }, null, 1)}\n`);
  await writeFile(join(prepared.out, 'table.md'), text);
  for (const [picture, svg] of Object.entries(pictures)) await writeFile(join(prepared.out, `${picture}.svg`), svg.text);
  process.stdout.write(text);
}
