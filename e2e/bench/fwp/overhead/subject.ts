import type { Markup } from '../../../report/markup.ts';
import { storable } from '../../comparisons.ts';
import { subjectOf, type Measured } from '../../driver/subject.ts';
import { latenessText } from '../../driver/transfers/transfer.ts';
import { inTurns } from '../../driver/turns.ts';
import { drawing } from '../../figures/drawing.ts';
import { linkOptions } from '../../linkOptions.ts';
import { digestOf, runDownload } from '../download/run.ts';
import { lineStyle } from '../plotLines.ts';
import { MAX_RATE } from '../sharedOptions.ts';
import { OPTIONS, type OverheadOptions } from './options.ts';
import { markdownTable, summarize, type OverheadRow, type OverheadRun } from './summary.ts';

/** Figure 11 of the FWP paper: what repairs cost both paths. */
export const overhead = subjectOf(OPTIONS, measure);

async function measure(options: OverheadOptions): Promise<Measured> {
  const { profile, link, frameErrorRates, congestion, bytes, rounds, parallel, seed } = options;
  const sha256 = await digestOf(bytes);
  const plans = Array.from({ length: rounds }, (_, round) => frameErrorRates.map((frameErrorRate) => ({ frameErrorRate, round }))).flat();
  const runs = await inTurns(plans, parallel, async (plan): Promise<OverheadRun> => {
    const air = ['--air', `fwp,${plan.frameErrorRate}`];
    return { ...plan, ...(await runDownload({ way: 'fwp', bytes, congestion, frameErrorRate: expected(plan.frameErrorRate), link: [...linkOptions(profile), ...air, ...link], seed: seed + plan.round }, sha256)) };
  }, ({ frameErrorRate }) => `frame error rate ${frameErrorRate}`);
  const rows = summarize(runs, seed);
  const head = [
    `Link ${[profile, ...link].join(' ')}, over the air in FWP mode, seed ${seed}; ${bytes} bytes from a server with ${congestion}, SHA-256 of each download as the file's; ${latenessText(runs)}`,
    `Bytes more than of the same download without losses, means of ${rounds} rounds. Internet path: what came to the link, without what its queue dropped; wireless hop: what the link delivered, and what went up.`,
  ];
  return { results: { options, runs }, rounds, table: markdownTable(rows, head), pictures: { overhead: picture(rows) } };
}

/** What the driver is told: the rate adaptation's bound, with room, as losses of single round trips differ. */
function expected(frameErrorRate: number): number | null {
  return frameErrorRate === 0 ? null : Math.min(MAX_RATE, ROOM * frameErrorRate);
}

const ROOM = 2;

function picture(rows: readonly OverheadRow[]): Markup {
  return drawing({
    title: 'Overhead of repairs (figure 11)',
    label: 'Overhead of repairs over the frame error rate, on the Internet path and on the wireless hop',
    legend: [{ name: 'Internet path', style: lineStyle(0) }, { name: 'wireless hop', style: lineStyle(1) }],
    panels: [{
      title: 'Bytes more than without losses (lower is better)',
      x: { label: 'frame error rate', scale: 'linear', ticks: rows.map(({ frameErrorRate }) => frameErrorRate) },
      y: { format: (value) => `${Math.round(value * 1_000) / 10} %` },
      lines: [
        { style: lineStyle(0), points: rows.map((row) => ({ x: row.frameErrorRate, y: storable(row.internet) })) },
        { style: lineStyle(1), points: rows.map((row) => ({ x: row.frameErrorRate, y: storable(row.wireless) })) },
      ],
    }],
  });
}
