/** The benchmark: npm run bench, npm start. docs/benchmarks.md says what is measured and how. */
import { join, relative } from 'node:path';
import { codedText, runWithOptions } from './commandLine.ts';
import { Interruption } from './interruption.ts';
import { parseOptions, USAGE, type BenchOptions } from './options.ts';
import { findPages } from './pages.ts';
import { Progress } from './progress.ts';
import { hasBbr } from './relay/hasBbr.ts';
import { formsAmong } from './schemes.ts';
import { supervise } from './supervise.ts';
import { lastLine } from './lastLine.ts';
import { terminalTable } from './terminalTable.ts';
import { writeResults } from './writeResults.ts';

const EXIT_ERROR = 1;
const EXIT_INTERRUPTED = 130;
const MS_PER_MINUTE = 60_000;

async function bench(options: BenchOptions): Promise<number> {
  const pages = await findPages(options.pages);
  const limitMs = options.limitMinutes === null ? null : options.limitMinutes * MS_PER_MINUTE;
  const interruption = new Interruption();
  let progress: Progress | undefined;
  for (const form of formsAmong(options.schemes)) process.stderr.write(`${form}\n`);
  const results = await supervise(options, pages, {
    onMessage: (message) => progress?.take(message),
    onStart: (testbed, pairs) => {
      progress = new Progress(pairs, options.schemes.length, limitMs, (text) => process.stderr.write(text));
      interruption.watch(testbed);
    },
  });
  await writeResults(options.out, results);
  process.stdout.write(options.json ? `${JSON.stringify(results, null, 2)}\n` : terminalTable(results));
  // With --json stdout is for the machine.
  (options.json ? process.stderr : process.stdout).write(`${lastLine(results, relative(process.cwd(), join(options.out, 'index.html')))}\n`);
  if (results.error) process.stderr.write(codedText(results.error));
  if (results.ended === 'interrupted') return EXIT_INTERRUPTED;
  const measured = results.loads.some(({ failed }) => failed === null);
  return measured && results.ended !== 'failed' ? 0 : EXIT_ERROR;
}

const canRelay = await hasBbr();
await runWithOptions('bench', USAGE, (argv, defaultOut) => parseOptions(argv, defaultOut, canRelay), bench);
