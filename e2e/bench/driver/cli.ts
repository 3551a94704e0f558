/** What the driver gains, and what it costs: `npm run bench:driver -- SUBJECT`, as root. docs/benchmarks.md says how. */
import { cost } from './cost/subject.ts';
import { exchanges } from './exchanges/subject.ts';
import { fairness } from './fairness/subject.ts';
import { spool } from './spool/subject.ts';
import { runCommand } from './subjectCommand.ts';

await runCommand({ name: 'driver', subjects: { exchanges, fairness, cost, spool }, defaultSubject: 'exchanges' });
