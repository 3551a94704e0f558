import { withDirectory } from '../../commandLine.ts';
import { subjectOf, type Measured } from '../../driver/subject.ts';
import { OPTIONS, type LoadOptions } from './options.ts';
import { tableOf, type Step } from './results.ts';
import { measureStep } from './step.ts';

/** Users who read at a relay over loopback. */
export const relayLoad = subjectOf(OPTIONS, (options) => withDirectory('firstscreen-relay-load-', (directory) => measure(options, directory)));

async function measure(options: LoadOptions, temporaryDir: string): Promise<Measured> {
  const steps: Step[] = [];
  for (const users of options.users) {
    process.stderr.write(`${users} users\n`);
    steps.push(await measureStep(users, options, temporaryDir));
  }
  return { results: { options, steps }, rounds: null, table: tableOf(steps) };
}
