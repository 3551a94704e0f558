/** Writes docs/compatibility.md from what the last runs of the suite have found: npm run compatibility. */

import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { CASES } from './cases/all.ts';
import { merged, readLast, readOutcomes, writeOutcomes } from './record.ts';
import { compatibilityTable } from './table.ts';

// a run of some cases leaves the rows of the others
const known = merged(readOutcomes(), readLast());
const outcomes = Object.fromEntries(CASES.map(({ name }) => [name, known[name] ?? {}]));
writeOutcomes(outcomes);
writeFileSync(path.join(import.meta.dirname, '../../docs/compatibility.md'), compatibilityTable(CASES, outcomes));
