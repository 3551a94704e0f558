/** What the driver gains, and what it costs: `npm run bench:driver -- SUBJECT`, as root. docs/benchmarks.md says how. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { FirstscreenError } from '../../../shared/src/errors.ts';
import { BenchError } from '../errors.ts';
import { machine } from '../machine.ts';
import { cost } from './cost/subject.ts';
import { exchanges } from './exchanges/subject.ts';
import { fairness } from './fairness/subject.ts';
import { spool } from './spool/subject.ts';
import type { Subject } from './subject.ts';

const SUBJECTS: Readonly<Record<string, Subject>> = { exchanges, fairness, cost, spool };
const DEFAULT_SUBJECT = 'exchanges';
const EXIT_FAILED = 1;
const EXIT_OPTION = 2;

async function main([first = '', ...others]: readonly string[]): Promise<void> {
  const named = SUBJECTS[first];
  const name = named === undefined ? DEFAULT_SUBJECT : first;
  const subject = named ?? exchanges;
  const startedAt = new Date().toISOString();
  const prepared = subject.prepare(named === undefined && first !== '' ? [first, ...others] : others, join('out', `driver-${name}-${startedAt.slice(0, 19).replaceAll(':', '-')}`));
  if (prepared === null) return void process.stdout.write(`Subjects: ${Object.keys(SUBJECTS).join(', ')} (default ${DEFAULT_SUBJECT})\n\n${subject.usage}`);
  const { results, table } = await prepared.measure();
  const { cpu, cores, kernel } = machine();
  const text = `${startedAt.slice(0, 10)}, ${cpu}, ${cores} cores, Linux ${kernel}\n\n${table}`;
  await mkdir(prepared.out, { recursive: true });
  await writeFile(join(prepared.out, 'results.json'), `${JSON.stringify({ subject: name, startedAt, machine: machine(), ...results }, null, 1)}\n`);
  await writeFile(join(prepared.out, 'table.md'), text);
  process.stdout.write(text);
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  if (!(error instanceof FirstscreenError || error instanceof BenchError)) throw error;
  process.stderr.write(`${error.code}: ${error.message}\n  next: ${error.next}\n`);
  process.exitCode = error.code === 'E_OPTION' ? EXIT_OPTION : EXIT_FAILED;
}
