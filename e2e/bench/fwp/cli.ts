/** What FWP gains, and what it costs: `npm run bench:fwp -- SUBJECT`; docs/benchmarks.md says how. All but `throughput` need root. */
import { runCommand } from '../driver/subjectCommand.ts';
import { download } from './download/subject.ts';
import { fairness } from './fairness/subject.ts';
import { overhead } from './overhead/subject.ts';
import { page } from './page/subject.ts';
import { throughput } from './throughput/subject.ts';

await runCommand({ name: 'fwp', subjects: { throughput, fairness, overhead, download, page }, defaultSubject: 'throughput' });
