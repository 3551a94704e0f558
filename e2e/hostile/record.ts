import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { BrowserName, Mode } from './mode.ts';

/** By case, browser and mode: whether all is the same as in stock. */
export type Outcomes = Record<string, Partial<Record<BrowserName, Partial<Record<Mode, boolean>>>>>;

/** What the table in docs/ is made of; part of the repository. */
export const OUTCOMES_FILE = path.join(import.meta.dirname, 'outcomes.json');
/** What the last runs have found, by case; ignored by git. */
const LAST_FILE = path.join(import.meta.dirname, '../../out/hostile/outcomes.json');

/** Keeps what a run has found; what it has not run stays as an earlier run found it. */
export function keepLast(found: Outcomes): void {
  const last = readLast();
  for (const [name, browsers] of Object.entries(found)) {
    for (const [browser, modes] of Object.entries(browsers)) last[name] = { ...last[name], [browser]: { ...last[name]?.[browser as BrowserName], ...modes } };
  }
  mkdirSync(path.dirname(LAST_FILE), { recursive: true });
  writeFileSync(LAST_FILE, text(last));
}

export function readLast(): Outcomes {
  return existsSync(LAST_FILE) ? (JSON.parse(readFileSync(LAST_FILE, 'utf8')) as Outcomes) : {};
}

export function readOutcomes(): Outcomes {
  return JSON.parse(readFileSync(OUTCOMES_FILE, 'utf8')) as Outcomes;
}

export function writeOutcomes(outcomes: Outcomes): void {
  writeFileSync(OUTCOMES_FILE, text(outcomes));
}

function text(outcomes: Outcomes): string {
  return `${JSON.stringify(outcomes, null, 1)}\n`;
}
