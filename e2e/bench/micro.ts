/** Measures what the scheduler, the content script, the helper and the panel cost: `npm run bench:micro`. Ends with 1 when a target is missed. */
import { commandOptions } from './commandOptions.ts';
import { tableText } from './driver/comparison.ts';
import { subjectOf, type Measured } from './driver/subject.ts';
import { runSubject } from './driver/subjectCommand.ts';
import { measureContentScript } from './micro/contentScript.ts';
import { measureHelper } from './micro/helper.ts';
import { judge } from './micro/measurement.ts';
import { measurePanel } from './micro/panel.ts';
import { measureScheduler } from './micro/scheduler.ts';

async function measure(): Promise<Measured> {
  const verdicts = [...measureScheduler(), ...(await measureHelper()), ...(await measureContentScript()), ...(await measurePanel())].map(judge);
  const rows = verdicts.map(({ name, n, medianMs, p95Ms, targetMs, verdict }) => [name, String(n), medianMs.toFixed(3), p95Ms.toFixed(3), `< ${targetMs}`, verdict]);
  const methods = verdicts.map(({ name, method }) => `- ${name}: ${method}`);
  const table = [tableText(['', 'n', 'median ms', 'p95 ms', 'target ms', 'verdict'], rows), ...methods, ''].join('\n');
  return { results: { verdicts }, rounds: null, table, hasMissed: verdicts.some(({ verdict }) => verdict === 'missed') };
}

await runSubject('micro', subjectOf(commandOptions('bench:micro', 'What the scheduler, the content script, the helper and the panel cost.', {}), measure));
