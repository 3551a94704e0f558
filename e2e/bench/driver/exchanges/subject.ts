import { seededRandom, shuffled } from '../../../../shared/src/statistics/random.ts';
import { subjectOf, type Measured } from '../subject.ts';
import { inTurns } from '../turns.ts';
import { congestionControl, runBatch, type BatchPlan } from './batch.ts';
import { parseOptions, USAGE, type ExchangesOptions } from './options.ts';
import { markdownTable, summarize } from './summary.ts';

/** Fresh exchanges over a link that loses. */
export const exchanges = subjectOf(USAGE, parseOptions, measure);

async function measure(options: ExchangesOptions): Promise<Measured> {
  const batches = await inTurns(planned(options), options.parallel, (plan) => runBatch(plan, options), ({ kind, ends }) => `${kind}, driver at ${ends}`);
  const head = [
    `TCP ${await congestionControl()}; link ${[options.profile, ...options.link].join(' ')}, seed ${options.seed}`,
    `Fresh exchanges, ${options.batch} on one start of the link, ${options.parallel} links at once; ratios against a stock client [95 % interval, bootstrap over rounds].`,
  ];
  return { results: { options, batches }, table: markdownTable(summarize(batches, options), head) };
}

/** What is compared takes turns, so that the machine's moods meet all alike. */
function planned({ seed, batch, count, kinds, ends }: ExchangesOptions): BatchPlan[] {
  const random = seededRandom(seed);
  const plans: BatchPlan[] = [];
  for (let round = 0; round * batch < count; round += 1) {
    for (const kind of kinds) plans.push(...shuffled(ends, random).map((one) => ({ kind, ends: one, round })));
  }
  return plans;
}
