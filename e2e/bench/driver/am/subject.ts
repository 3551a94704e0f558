import { seededRandom, shuffled } from '../../../analysis/random.ts';
import { linkOptions } from '../../linkOptions.ts';
import type { Measured, Subject } from '../subject.ts';
import { REGISTERED_PORT } from '../transfers/plan.ts';
import { latenessText, transfer } from '../transfers/transfer.ts';
import { inTurns } from '../turns.ts';
import { parseOptions, USAGE, type AmOptions } from './options.ts';
import { markdownTable, summarize, type AmPlan, type AmRun } from './summary.ts';

/** Bulk both ways over one connection, on a link with bit errors (NSF report, section VII). */
export const am: Subject = {
  usage: USAGE,
  prepare(argv, defaultOut) {
    const options = parseOptions(argv, defaultOut);
    return options === null ? null : { out: options.out, measure: () => measure(options) };
  },
};

async function measure(options: AmOptions): Promise<Measured> {
  const described = ({ bitErrorRate, congestion, ends }: AmPlan): string => `bit errors ${bitErrorRate}, ${congestion}, AM at ${ends}`;
  const runs = await inTurns(planned(options), options.parallel, (plan) => run(plan, options), described);
  const head = [
    `link ${[options.profile, ...options.link].join(' ')}, bit errors both ways, seed ${options.seed}; ${latenessText(runs)}`,
    `One connection that sends both ways for ${options.seconds} s; ${options.rounds} rounds, ${options.parallel} links at once; ratios of throughput against stock ends [95 % interval, bootstrap over rounds].`,
  ];
  return { results: { options, runs }, table: markdownTable(summarize(runs, options), head) };
}

/** What is compared takes turns, so that the machine's moods meet all alike. */
function planned({ seed, rounds, bitErrorRates, congestion, ends }: AmOptions): AmPlan[] {
  const random = seededRandom(seed);
  return Array.from({ length: rounds }, (_, round) =>
    congestion.flatMap((name) => bitErrorRates.flatMap((bitErrorRate) => shuffled(ends, random).map((one) => ({ congestion: name, bitErrorRate, ends: one, round }))))).flat();
}

async function run(plan: AmPlan, { profile, link, seconds, seed }: AmOptions): Promise<AmRun> {
  const { flows, link: carried, near, far } = await transfer({
    link: [...linkOptions(profile), '--ber', String(plan.bitErrorRate), ...link],
    flows: [`1xboth:${REGISTERED_PORT}`], seconds, warmUpSeconds: 0, congestion: plan.congestion, seed: seed + plan.round,
    nearPolicy: plan.ends === 'none' ? null : ['am'], farPolicy: plan.ends === 'both' ? ['am'] : null,
  });
  return { ...plan, flows, link: carried, near, far };
}
