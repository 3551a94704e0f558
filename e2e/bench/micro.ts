/** Measures what the scheduler, the content script, the helper and the panel cost: `npm run bench:micro [-- --json]`. Ends with 1 when a target is missed. */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { measureContentScript } from './micro/contentScript.ts';
import { measureHelper } from './micro/helper.ts';
import { judge, type Verdict } from './micro/measurement.ts';
import { measurePanel } from './micro/panel.ts';
import { measureScheduler } from './micro/scheduler.ts';

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const machine = `${cpus()[0]?.model ?? 'unknown processor'}, ${availableParallelism()} cores, load ${loadavg()[0]?.toFixed(1) ?? '?'}, Node ${process.version}`;
const verdicts = [...measureScheduler(), ...(await measureHelper()), ...(await measureContentScript()), ...(await measurePanel())].map(judge);
process.stdout.write(options.json ? `${JSON.stringify({ machine, verdicts }, null, 2)}\n` : tableOf(verdicts));
if (verdicts.some(({ verdict }) => verdict === 'missed')) process.exitCode = 1;

function tableOf(rows: readonly Verdict[]): string {
  const cells = rows.map(({ name, n, medianMs, p95Ms, targetMs, verdict }) => [
    name, String(n), medianMs.toFixed(3), p95Ms.toFixed(3), targetMs === null ? '' : `< ${targetMs}`, verdict,
  ]);
  const all = [['', 'n', 'median ms', 'p95 ms', 'target ms', 'verdict'], ...cells];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = all.map((row) => row.map((cell, column) => (column === 0 || column === row.length - 1 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join('  '));
  return `${machine}\n\n${lines.join('\n')}\n\n${rows.map(({ name, method }) => `${name}: ${method}`).join('\n')}\n`;
}
