/** How many users a relay serves, what it adds to their pages' objects, and its memory for each: `npm run bench:relay`. docs/benchmarks.md says how. */
import { runSubject } from '../../driver/subjectCommand.ts';
import { relayLoad } from './subject.ts';

await runSubject('relay', relayLoad);
