import type { Markup } from '../../../report/markup.ts';
import { storable } from '../../comparisons.ts';
import { subjectOf, type Measured } from '../../driver/subject.ts';
import { latenessText } from '../../driver/transfers/transfer.ts';
import { inTurns, plansInTurns, type Planned } from '../../driver/turns.ts';
import { drawing } from '../../figures/drawing.ts';
import { linkOptions, lossOptions } from '../../linkOptions.ts';
import { lineStyle } from '../plotLines.ts';
import { WAYS, type Way } from '../plan.ts';
import { OPTIONS, type DownloadOptions } from './options.ts';
import { digestOf, runDownload } from './run.ts';
import { markdownTable, summarize, type Condition, type DownloadRow, type DownloadRun } from './summary.ts';

/** A file over plain HTTP by the helper, with FWP and without. */
export const download = subjectOf(OPTIONS, measure);

async function measure(options: DownloadOptions): Promise<Measured> {
  const conditions = options.patterns.flatMap((pattern) => options.losses.flatMap((loss) => options.congestion.map((congestion): Condition => ({ pattern, loss, congestion }))));
  const sha256 = await digestOf(options.bytes);
  const described = ({ pattern, loss, congestion, way }: Planned<Condition, Way>): string => `${pattern}, loss ${loss}, ${congestion}, ${way}`;
  const runs = await inTurns(plansInTurns(conditions, 'way', WAYS, options), options.parallel, (plan) => run(plan, options, sha256), described);
  const rows = summarize(runs, conditions, options.seed);
  const head = [
    `Link ${[options.profile, ...options.link].join(' ')}, seed ${options.seed}; ${options.bytes} bytes, SHA-256 of each download as the file's; ${latenessText(runs)}`,
    `From the request to the last byte; ${options.rounds} rounds, ${options.parallel} links at once. Medians; ratio of pairs, FWP to stock.`,
  ];
  return { results: { options, runs }, rounds: options.rounds, table: markdownTable(rows, head), pictures: Object.fromEntries(options.patterns.map((pattern) => [`download-${pattern}`, picture(rows.filter((row) => row.pattern === pattern), pattern, options)])) };
}

async function run(plan: Planned<Condition, Way>, { profile, link, bytes, frameErrorRate, seed }: DownloadOptions, sha256: string): Promise<DownloadRun> {
  const losses = plan.loss === 0 ? [] : lossOptions(plan.pattern === 'bursts', plan.loss);
  const result = await runDownload({ way: plan.way, bytes, congestion: plan.congestion, frameErrorRate, link: [...linkOptions(profile), ...losses, ...link], seed: seed + plan.round }, sha256);
  return { ...plan, ...result };
}

const PERCENT = 100;

/** Ratios of times over the loss, a line for each congestion control. */
function picture(rows: readonly DownloadRow[], pattern: string, { losses, congestion }: DownloadOptions): Markup {
  return drawing({
    title: `Time of a download with FWP, ${pattern === 'bursts' ? 'losses in fades' : 'independent losses'}`,
    label: 'Time of a download with FWP to that of stock, over the loss',
    legend: congestion.map((name, place) => ({ name, style: lineStyle(place) })),
    panels: [{
      title: 'FWP to stock (lower is better)',
      x: { label: 'loss, %', scale: losses.every((loss) => loss > 0) ? 'log' : 'linear', ticks: losses.map((loss) => loss * PERCENT) },
      y: { format: String },
      lines: congestion.map((name, place) => ({ style: lineStyle(place), points: rows.filter((row) => row.congestion === name).map((row) => ({ x: row.loss * PERCENT, y: storable(row.ratio) })) })),
    }],
  });
}
