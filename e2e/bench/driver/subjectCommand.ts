import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { outOf, runMain } from '../commandLine.ts';
import { machine } from '../machine.ts';
import { intervalText } from './comparison.ts';
import type { Subject } from './subject.ts';

/** A command that measures one of several subjects. */
export interface SubjectCommand {
  /** Begins the name of the folder of results. */
  readonly name: string;
  readonly subjects: Readonly<Record<string, Subject>>;
  readonly defaultSubject: string;
}

/** Runs it with the arguments of this process, whose exit status says how it went. */
export async function runCommand(command: SubjectCommand): Promise<void> {
  await runMain(() => run(command, process.argv.slice(2)));
}

async function run({ name, subjects, defaultSubject }: SubjectCommand, [first = '', ...others]: readonly string[]): Promise<number> {
  const isNamed = Object.hasOwn(subjects, first);
  const subject = isNamed ? first : defaultSubject;
  const { prepare, usage } = subjects[subject] as Subject;
  const startedAt = new Date().toISOString();
  const prepared = prepare(isNamed || first === '' ? others : [first, ...others], outOf(`${name}-${subject}`, startedAt));
  if (prepared === null) {
    process.stdout.write(`Subjects: ${Object.keys(subjects).join(', ')} (default ${defaultSubject})\n\n${usage}`);
    return 0;
  }
  const { results, rounds, table, pictures = {} } = await prepared.measure();
  const { cpu, cores, kernel } = machine();
  const text = [`${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, Linux ${kernel}`, intervalText(rounds), table].join('\n\n');
  await mkdir(prepared.out, { recursive: true });
  await writeFile(join(prepared.out, 'results.json'), `${JSON.stringify({ subject, startedAt, machine: machine(), ...results }, null, 1)}\n`);
  await writeFile(join(prepared.out, 'table.md'), text);
  for (const [picture, svg] of Object.entries(pictures)) await writeFile(join(prepared.out, `${picture}.svg`), svg.text);
  process.stdout.write(text);
  return 0;
}
