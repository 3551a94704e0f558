/**
 * Writes what tests of the scheduler replay from a benchmark's artifacts, `DIR/artifacts/PAGE` each:
 * `node e2e/bench/writeLoadTraces.ts DIR/artifacts/* > shared/src/testing/demoLoads.json`. Recorded pages belong to
 * others: only those of our own making go into the repository (docs/development.md).
 */
import { readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import * as v from 'valibot';
import { LoadArtifact } from '../report/waterfall/loadArtifact.ts';
import { loadTrace } from './loadTrace.ts';

const traces = process.argv.slice(2).flatMap((directory) => {
  const file = readdirSync(directory).sort()[0];
  if (file === undefined) return [];
  const { record, needed } = v.parse(LoadArtifact, JSON.parse(readFileSync(join(directory, file), 'utf8')));
  return record === null ? [] : [loadTrace(basename(directory), record, needed)];
});
const lines = traces.map(({ name, prepared, objects }) => `{"name": ${JSON.stringify(name)}, "prepared": ${JSON.stringify(prepared)}, "objects": [\n${objects.map((object) => JSON.stringify(object)).join(',\n')}\n]}`);
process.stdout.write(`[\n${lines.join(',\n')}\n]\n`);
