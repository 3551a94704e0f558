import { parseArgs } from 'node:util';
import { FAULTS } from './plan.ts';
import { soak, type Load } from './soak.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const reports: Load[] = [];
await soak(Number(values.loads), Number(values.seed), (load) => {
  reports.push(load);
  for (const violation of load.violations) console.log(`load ${load.number}, ${load.browser} ${load.mode}, ${load.fault} ${load.moment ?? ''}: ${violation}`);
});
const loads = reports.filter(({ fault }) => fault !== 'end');
console.log('| fault | loads | with violations | objects lost and excused |\n|---|---|---|---|');
for (const fault of [...FAULTS, 'end'] as const) {
  const ofFault = reports.filter((load) => load.fault === fault);
  console.log(`| ${fault} | ${ofFault.length} | ${ofFault.filter(({ violations }) => violations.length > 0).length} | ${ofFault.reduce((sum, { excused }) => sum + excused, 0)} |`);
}
console.log(`npm run soak -- --loads ${values.loads} --seed ${values.seed} repeats these loads`);
process.exitCode = reports.some(({ violations }) => violations.length > 0) || loads.length < Number(values.loads) ? 1 : 0;
