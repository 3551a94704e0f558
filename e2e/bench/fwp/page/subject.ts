import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { createRandom } from '../../../pages/random.ts';
import { encodeWarc } from '../../../pages/warcWriter.ts';
import { codedText } from '../../commandLine.ts';
import { subjectOf, type Measured } from '../../driver/subject.ts';
import { PART_OF_ANOTHER } from '../../options.ts';
import { Progress } from '../../progress.ts';
import { supervise } from '../../supervise.ts';
import { OPTIONS, type PageOptions } from './options.ts';
import { picturesPage } from './picturesPage.ts';
import { markdownTable, summarize, type LossyLoads } from './summary.ts';

const NAME = 'pictures';

/** Large pictures in a browser, by the benchmark of pages. */
export const page = subjectOf(OPTIONS, measure);

async function measure(options: PageOptions): Promise<Measured> {
  const { profile, lossPercents, schemes, bytes, runs, seed, out } = options;
  await mkdir(out, { recursive: true });
  const path = join(out, `${NAME}.warc.gz`);
  await writeFile(path, encodeWarc(await picturesPage(createRandom(seed).fork(NAME), bytes), `${NAME} of ${bytes} bytes, seed ${seed}`));
  const measured: LossyLoads[] = [];
  for (const lossPercent of lossPercents) measured.push({ lossPercent, loads: await loadsAt(lossPercent, path, options) });
  const labels = schemes.map(({ label }) => label);
  const head = [
    `Link ${profile} with losses each way, seed ${seed}; 12 pictures of ${bytes} bytes over plain HTTP, 6 of them in view; ${runs} pairs.${options.maxLateMs === null ? '' : ` Loads whose link was late by up to ${options.maxLateMs} ms count (--max-late).`}`,
    'Medians; ratios of ISRT, medians of pairs.',
  ];
  return { results: { options, measured }, rounds: runs, table: markdownTable(summarize(measured, labels, seed), head) };
}

async function loadsAt(lossPercent: number, path: string, { profile, schemes, runs, maxLateMs, seed, out }: PageOptions): Promise<LossyLoads['loads']> {
  const options = { ...PART_OF_ANOTHER, profile: `${profile}-loss${lossPercent}`, schemes, runs, seed, maxLateMs, out: join(out, `loss-${lossPercent}`) };
  const progress = new Progress(runs, schemes.length, null, (text) => process.stderr.write(text));
  const { loads, error } = await supervise(options, [{ name: NAME, path }], { onMessage: (message) => progress.take(message) });
  if (error !== null) process.stderr.write(codedText(error));
  return loads;
}
