import { parseArgs } from 'node:util';
import { FAULTS, soak, type Load } from './soak.ts';

const { values } = parseArgs({ options: { loads: { type: 'string', default: '1000' }, seed: { type: 'string', default: '1' } } });
const loads: Load[] = [];
const left = await soak(Number(values.loads), Number(values.seed), (load) => {
  loads.push(load);
  for (const violation of load.violations) console.log(`load ${load.number}, ${load.fault}: ${violation}`);
});
console.log('| fault | loads | violations |\n|---|---|---|');
for (const fault of FAULTS) {
  const ofFault = loads.filter((load) => load.fault === fault);
  console.log(`| ${fault} | ${ofFault.length} | ${ofFault.filter(({ violations }) => violations.length > 0).length} |`);
}
const violated = loads.some(({ violations }) => violations.length > 0);
console.log(`helpers left: ${left}`);
console.log(`npm run soak -- --loads ${values.loads} --seed ${values.seed} repeats these loads`);
process.exitCode = violated || left > 0 || loads.length < Number(values.loads) ? 1 : 0;
