import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { CASES } from './cases/all.ts';
import { merged, OUTCOMES_FILE, readOutcomes } from './record.ts';
import { compatibilityTable } from './table.ts';

const TABLE_FILE = path.join(import.meta.dirname, '../../docs/compatibility.md');

describe('docs/compatibility.md', () => {
  it('is what the record says: npm run compatibility', () => {
    expect(readFileSync(TABLE_FILE, 'utf8')).toBe(compatibilityTable(CASES, readOutcomes()));
  });

  it(`has a record of each case and of no other (${path.basename(OUTCOMES_FILE)})`, () => {
    expect(Object.keys(readOutcomes()).sort()).toEqual(CASES.map(({ name }) => name).sort());
  });

  it('keeps what a run has not looked for', () => {
    const before = { csp: { chromium: { gate: true, tunnel: true }, firefox: { gate: true } }, spa: { firefox: { gate: true } } };
    expect(merged(before, { csp: { chromium: { tunnel: false } } })).toEqual({ ...before, csp: { ...before.csp, chromium: { gate: true, tunnel: false } } });
  });

  it.each([...CASES])('$name has a label of its own that a host can have', ({ name }) => {
    expect(name).toMatch(/^[a-z0-9-]{1,63}$/);
    expect(CASES.filter((other) => other.name === name)).toHaveLength(1);
  });
});
