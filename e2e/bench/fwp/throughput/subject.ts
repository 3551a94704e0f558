import { subjectOf, type Measured } from '../../driver/subject.ts';
import { runsOn } from '../../driver/comparison.ts';
import { inTurns } from '../../driver/turns.ts';
import { contend, type Contention } from './air.ts';
import { OPTIONS, type ThroughputOptions } from './options.ts';
import { pictures } from './pictures.ts';
import { markdownTable, summarize, type ThroughputRun } from './summary.ts';

/** Figures 7 and 8 of the FWP paper, in virtual time. */
export const throughput = subjectOf(OPTIONS, measure);

async function measure(options: ThroughputOptions): Promise<Measured> {
  const contentions = planned(options);
  const plans = contentions.flatMap((contention) => Array.from({ length: options.runs }, (_, run) => ({ ...contention, seed: options.seed + run })));
  const runs = await inTurns(plans, options.parallel, async (plan): Promise<ThroughputRun> => ({ ...plan, results: await contend(plan, options.seconds, plan.seed) }),
    ({ frameErrorRate, stations, size }) => `frame error rate ${frameErrorRate}, ${stations} stations, A-MPDUs of ${size}`);
  const rows = summarize(runs, contentions, options.seed);
  const head = [
    `Model in virtual time: 600 Mbit/s over 4 streams, ${options.seconds} s a run, seeds ${options.seed} to ${options.seed + options.runs - 1}.`,
    'One station with FWP among stations with A-MPDU, all saturated; means of runs; speed-up: FWP to A-MPDU.',
  ];
  return { results: { options, runs }, rounds: options.runs, table: markdownTable(rows, head), pictures: pictures(rows, options) };
}

/** Both figures; where they cross, once. */
function planned({ frameErrorRates, contended, stations, sizes }: ThroughputOptions): Contention[] {
  const all = sizes.flatMap((size) => [
    ...frameErrorRates.map((rate) => ({ frameErrorRate: rate, stations, size })),
    ...contended.flatMap((rate) => Array.from({ length: stations }, (_, place) => ({ frameErrorRate: rate, stations: place + 1, size }))),
  ]);
  return all.filter((one, place) => runsOn(all.slice(0, place), one).length === 0);
}
