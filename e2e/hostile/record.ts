import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../browsers/executables.ts';
import type { Seen } from './case.ts';
import type { BrowserName, Mode } from './mode.ts';

/** By case, browser and mode: whether all is the same as in stock. */
export type Outcomes = Record<string, Partial<Record<BrowserName, Partial<Record<Mode, boolean>>>>>;

/** What the table in docs/ is made of; part of the repository. */
export const OUTCOMES_FILE = path.join(import.meta.dirname, 'outcomes.json');
/** Ignored by git. */
const LAST_DIR = path.join(ROOT, 'out/hostile');
const BROWSERS: readonly BrowserName[] = ['chromium', 'firefox'];

/** Keeps what a run has found; what it has not run stays as an earlier run found it. */
export function keepLast(browser: BrowserName, found: Outcomes): void {
  mkdirSync(LAST_DIR, { recursive: true });
  writeFileSync(lastFile(browser), text(merged(readLastOf(browser), found)));
}

/** What was found, and before it what was not looked for again. */
export function merged(before: Outcomes, found: Outcomes): Outcomes {
  const all = { ...before };
  for (const [name, browsers] of Object.entries(found)) {
    for (const [browser, modes] of Object.entries(browsers)) all[name] = { ...all[name], [browser]: { ...all[name]?.[browser as BrowserName], ...modes } };
  }
  return all;
}

/** Keeps all that was seen in a mode, for who looks into a difference: out/hostile/BROWSER-MODE.json. */
export function keepSeen(browser: BrowserName, mode: Mode, seen: Readonly<Record<string, Seen>>): void {
  mkdirSync(LAST_DIR, { recursive: true });
  writeFileSync(path.join(LAST_DIR, `${browser}-${mode}.json`), `${JSON.stringify(seen, null, 1)}\n`);
}

/** What the last runs have found. */
export function readLast(): Outcomes {
  return BROWSERS.map(readLastOf).reduce(merged);
}

function readLastOf(browser: BrowserName): Outcomes {
  const file = lastFile(browser);
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Outcomes) : {};
}

/** One for each browser: both run at once. */
function lastFile(browser: BrowserName): string {
  return path.join(LAST_DIR, `${browser}-outcomes.json`);
}

/** What the table is made of. */
export function readOutcomes(): Outcomes {
  return JSON.parse(readFileSync(OUTCOMES_FILE, 'utf8')) as Outcomes;
}

/** Takes it over into the repository. */
export function writeOutcomes(outcomes: Outcomes): void {
  writeFileSync(OUTCOMES_FILE, text(outcomes));
}

/** A line a case, so that a difference between two records names it. */
function text(outcomes: Outcomes): string {
  return `{\n${Object.entries(outcomes).map(([name, of]) => `${JSON.stringify(name)}: ${JSON.stringify(of)}`).join(',\n')}\n}\n`;
}
