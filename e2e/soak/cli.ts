import { parseArgs } from 'node:util';
import { exitOnSignals } from '../bench/commandLine.ts';
import { MAX_SEED, wholeNumber } from '../bench/optionValues.ts';
import { tableLines } from '../report/markdown.ts';
import { FAULTS } from './plan.ts';
import { soak, type Load } from './soak.ts';

const MAX_LOADS = 100_000;

const { values } = parseArgs({ options: { loads: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const [loads, seed] = [wholeNumber('--loads', values.loads, 1, MAX_LOADS), wholeNumber('--seed', values.seed, 0, MAX_SEED)];
exitOnSignals();
const reports: Load[] = [];
await soak(loads, seed, (load) => {
  reports.push(load);
  for (const violation of load.violations) console.log(`load ${load.number}, ${load.browser} ${load.mode}, ${load.fault} ${load.moment ?? ''}: ${violation}`);
});
const rows = [...FAULTS, 'end' as const].map((fault) => {
  const own = reports.filter((load) => load.fault === fault);
  return [fault, own.length, own.filter(({ violations }) => violations.length > 0).length, own.reduce((sum, { excused }) => sum + excused, 0)].map(String);
});
console.log(tableLines(['fault', 'loads', 'with violations', 'objects lost and excused'], rows).join('\n'));
console.log(`npm run soak -- --loads ${loads} --seed ${seed} repeats these loads`);
const made = reports.filter(({ fault }) => fault !== 'end').length;
process.exitCode = made < loads || reports.some(({ violations }) => violations.length > 0) ? 1 : 0;
