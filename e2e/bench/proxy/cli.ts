/** What the helper's proxy costs, beside other proxies, and what IB gains: `npm run bench:proxy`. docs/benchmarks.md says how. Ends with 1 when a target is missed. */
import { runSubject } from '../driver/subjectCommand.ts';
import { proxy } from './subject.ts';

await runSubject('proxy', proxy);
