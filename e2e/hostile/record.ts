import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserName, Mode } from './case.ts';
import { CASES } from './cases/all.ts';

/** By case, browser and mode: whether all is the same as in stock. */
export type Outcomes = Record<string, Partial<Record<BrowserName, Partial<Record<Mode, boolean>>>>>;

/** What the last whole run has found; ignored by git. `writeTable.ts` makes the table of it. */
const RECORD_FILE = path.join(import.meta.dirname, '../../out/hostile/record.json');

/** Keeps what a run has found. A run of some cases only is none that a table could be made of. */
export function writeRecord(outcomes: Outcomes): void {
  if (CASES.some(({ name }) => !(name in outcomes))) return;
  mkdirSync(path.dirname(RECORD_FILE), { recursive: true });
  writeFileSync(RECORD_FILE, `${JSON.stringify(outcomes, null, 2)}\n`);
}

export function readRecord(): Outcomes {
  return JSON.parse(readFileSync(RECORD_FILE, 'utf8')) as Outcomes;
}
