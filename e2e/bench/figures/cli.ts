/** The figures of the NSF report, measured: `npm run bench:figures`. docs/benchmarks.md says what is measured and how. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import * as v from 'valibot';
import { codedText, runWithOptions } from '../commandLine.ts';
import { Interruption } from '../interruption.ts';
import { machine } from '../machine.ts';
import { Progress } from '../progress.ts';
import { figureSvg } from './figureSvg.ts';
import { figureOf } from './lines.ts';
import { measure, type Measured } from './measure.ts';
import { OPTIONS, type FigureOptions } from './options.ts';
import { planRuns, schemesFor } from './plan.ts';
import { drawnFigures, figuresHtml, figuresMarkdown } from './report.ts';
import { FigureResults, RESULTS_VERSION } from './results.ts';
import type { Sweep } from './sweeps.ts';

const EXIT_ERROR = 1;
const EXIT_INTERRUPTED = 130;

async function draw(options: FigureOptions): Promise<number> {
  const startedAt = new Date().toISOString();
  const interruption = new Interruption();
  const runs = planRuns(options.sweeps, options.schemes, options.runs);
  const pairs = runs.reduce((sum, { pages }) => sum + pages.length, 0);
  const progress = new Progress(pairs, options.schemes.length, null, (text) => process.stderr.write(text));
  const measured: Measured[] = [];
  for (const [place, run] of runs.entries()) {
    if (interruption.asked) break;
    process.stderr.write(`test bed ${place + 1} of ${runs.length}: ${run.name}, ${run.pages.length} pages\n`);
    measured.push(await measure(run, options, { onMessage: (message) => progress.take(message), onStart: (testbed) => interruption.watch(testbed) }));
    // Written anew each time: whatever happens next, what there is can be read.
    await write(options.out, resultsOf(options, startedAt, measured, runs.length));
  }
  const results = resultsOf(options, startedAt, measured, runs.length);
  for (const { error } of results.testbeds) if (error) process.stderr.write(codedText(error));
  process.stdout.write(`${figuresMarkdown(results)}\nReport: ${relative(process.cwd(), join(options.out, 'figures.html'))}\n`);
  if (interruption.asked) return EXIT_INTERRUPTED;
  return results.ended === 'complete' && results.loads.some(({ failed }) => failed === null) ? 0 : EXIT_ERROR;
}

function resultsOf(options: FigureOptions, startedAt: string, measured: readonly Measured[], runs: number): FigureResults {
  const loads = measured.flatMap((part) => part.loads);
  const testbeds = measured.map(({ testbed }) => testbed);
  const early = testbeds.find(({ ended }) => ended !== 'complete')?.ended;
  return {
    version: RESULTS_VERSION,
    startedAt,
    finishedAt: new Date().toISOString(),
    ended: early ?? (measured.length < runs ? 'interrupted' : 'complete'),
    options: {
      figures: options.sweeps.map(({ name }) => name), schemes: options.schemes.map(({ label }) => label), runs: options.runs, seed: options.seed, maxLateMs: options.maxLateMs, quick: options.quick,
    },
    versions: Object.assign({}, ...measured.map(({ versions }) => versions)) as FigureResults['versions'],
    machine: machine(),
    testbeds,
    figures: options.sweeps.map((sweep) => figureOf(sweep, labelsOf(sweep, options), loads, options.seed)),
    loads,
  };
}

function labelsOf({ points }: Sweep, { schemes }: FigureOptions): string[] {
  return schemesFor({ helperConnections: points[0]?.condition.helperConnections ?? null }, schemes).map(({ label }) => label);
}

async function write(out: string, results: FigureResults): Promise<void> {
  await mkdir(out, { recursive: true });
  await writeFile(join(out, 'results.json'), `${JSON.stringify(v.parse(FigureResults, results), null, 2)}\n`);
  await writeFile(join(out, 'table.md'), figuresMarkdown(results));
  await writeFile(join(out, 'figures.html'), figuresHtml(results));
  for (const { sweep, figure } of drawnFigures(results)) await writeFile(join(out, `${sweep.name}.svg`), figureSvg(sweep, figure).text);
}

await runWithOptions('figures', OPTIONS.usage, OPTIONS.parse, draw);
