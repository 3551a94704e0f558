/** Loads through a relay that is killed, restarted, blackholed or slowed in their middle: `npm run soak:relay`. docs/development.md says how. */
import { appendFileSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { exitOnSignals } from '../../bench/commandLine.ts';
import { MAX_SEED, oneOf, wholeNumber } from '../../bench/optionValues.ts';
import { FAULTS, planLoads } from './plan.ts';
import { soakRelay, type Load } from './soak.ts';
import { isWhole, tableOf } from './table.ts';

const MAX_LOADS = 100_000;
const usually = (value: number) => ({ type: 'string', default: String(value) }) as const;

const { values } = parseArgs({ options: { loads: usually(500), from: usually(0), seed: usually(1), lanes: usually(2), out: { type: 'string' }, fault: { type: 'string' } } });
const [loads, from] = [wholeNumber('--loads', values.loads, 1, MAX_LOADS), wholeNumber('--from', values.from, 0, MAX_LOADS)];
const [seed, lanes] = [wholeNumber('--seed', values.seed, 0, MAX_SEED), wholeNumber('--lanes', values.lanes, 1, 16)];
const fault = values.fault === undefined ? null : oneOf('--fault', values.fault, FAULTS);
exitOnSignals();
const made: Load[] = [];
await soakRelay(planLoads(from, loads, seed).filter((load) => fault === null || load.fault === fault), lanes, (load) => {
  made.push(load);
  for (const violation of load.violations) console.error(`load ${load.number}, ${load.mode}, ${load.fault} at ${load.at.toFixed(2)}: ${violation}`);
  if (values.out !== undefined) appendFileSync(values.out, `${JSON.stringify(load)}\n`);
});
// what earlier parts of the run have written counts, too
const all = values.out === undefined ? made : readFileSync(values.out, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Load);
console.log(tableOf(all));
process.exitCode = all.every(isWhole) ? 0 : 1;
