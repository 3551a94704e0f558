import { join } from 'node:path';
import process from 'node:process';
import * as v from 'valibot';
import type { Markup } from '../../../report/markup.ts';
import { storable } from '../../comparisons.ts';
import { overLink } from '../../driver/overLink.ts';
import { subjectOf, type Measured } from '../../driver/subject.ts';
import { latenessText } from '../../driver/transfers/transfer.ts';
import { inTurns, plansInTurns, type Planned } from '../../driver/turns.ts';
import { drawing } from '../../figures/drawing.ts';
import type { PlotLine } from '../../figures/linePlot.ts';
import { customProfile, linkOptions, lossOptions } from '../../linkOptions.ts';
import { lineStyle } from '../plotLines.ts';
import { WAYS, type Way } from '../plan.ts';
import { OPTIONS, type FairnessOptions } from './options.ts';
import { SideResult, type SidePlan } from './plan.ts';
import { markdownTable, summarize, type Condition, type FairnessRow, type FairnessRun } from './summary.ts';

/** Figure 10 of the FWP paper: a download beside a plain flow with CUBIC. */
export const fairness = subjectOf(OPTIONS, measure);

async function measure(options: FairnessOptions): Promise<Measured> {
  const conditions = options.congestion.flatMap((congestion) => options.losses.flatMap((loss) => options.rttsMs.map((rttMs): Condition => ({ rttMs, loss, congestion }))));
  const runs = await inTurns(plansInTurns(conditions, 'way', WAYS, options), options.parallel, (plan) => run(plan, options), ({ rttMs, loss, congestion, way }) => `${rttMs} ms, loss ${loss}, ${congestion}, ${way}`);
  const rows = summarize(runs, conditions, options.seed);
  const head = [
    `Bottleneck of ${options.kbitPerSecond} kbit/s${options.link.length > 0 ? `, link ${options.link.join(' ')}` : ''}, seed ${options.seed}; ${latenessText(runs)}`,
    `A download by the helper beside a plain flow with CUBIC for ${options.seconds} s, after ${options.warmUpSeconds} s; ${options.rounds} rounds, ${options.parallel} links at once. Share: of the download, and the 10th to 90th percentile of single seconds.`,
  ];
  const pictures = Object.fromEntries(options.losses.flatMap((loss) => options.congestion.map((name) => [`fairness-${name}-loss-${loss}`, picture(rows.filter((row) => row.loss === loss && row.congestion === name), options)])));
  return { results: { options, runs }, rounds: options.rounds, table: markdownTable(rows, head), pictures };
}

async function run(plan: Planned<Condition, Way>, { kbitPerSecond, link, frameErrorRate, seconds, warmUpSeconds, seed }: FairnessOptions): Promise<FairnessRun> {
  const sidePlan = (directory: string): string => JSON.stringify({ client: { way: plan.way, directory, frameErrorRate }, congestion: plan.congestion, seconds, warmUpSeconds } satisfies SidePlan);
  const side = [process.execPath, join(import.meta.dirname, 'side.ts')];
  const stdout = await overLink({
    options: [...linkOptions(customProfile(kbitPerSecond, plan.rttMs)), ...(plan.loss === 0 ? [] : lossOptions(false, plan.loss)), ...link], seed: seed + plan.round,
    // the far command is a shell's
    commands: (directory) => ({ near: [...side, 'near', sidePlan(directory)], far: [...side, 'far', `'${sidePlan(directory)}'`] }),
  });
  return { ...plan, ...v.parse(SideResult, JSON.parse(stdout)) };
}

const PERCENT = 100;

function picture(rows: readonly FairnessRow[], { rttsMs }: FairnessOptions): Markup {
  const x = { label: 'round trip, ms', scale: 'linear', ticks: rttsMs } as const;
  const share = (way: Way, place: number): PlotLine => ({
    style: lineStyle(place),
    points: rows.map(({ rttMs, shares }) => ({ x: rttMs, y: storable({ value: shares[way].mean.value * PERCENT, low: shares[way].seconds[0] * PERCENT, high: shares[way].seconds[1] * PERCENT }) })),
  });
  return drawing({
    title: 'A download beside a CUBIC flow (figure 10)',
    label: 'Share of a download beside a CUBIC flow, and drops of the queue, over the round trip',
    legend: [{ name: 'FWP', style: lineStyle(0) }, { name: 'stock', style: lineStyle(1) }],
    panels: [
      { title: 'Share of the download: mean, 10th to 90th percentile of seconds', x, y: { format: (value) => `${value} %` }, lines: [share('fwp', 0), share('stock', 1)] },
      { title: 'Drops of the queue, FWP to stock', x, y: { format: String }, lines: [{ style: lineStyle(0), points: rows.map(({ rttMs, drops }) => ({ x: rttMs, y: storable(drops) })) }] },
    ],
  });
}
