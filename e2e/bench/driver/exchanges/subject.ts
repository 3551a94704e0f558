import { seededRandom, shuffled } from '../../../../shared/src/statistics/random.ts';
import { congestionControl } from '../../machine.ts';
import { subjectOf, type Measured } from '../subject.ts';
import { inTurns } from '../turns.ts';
import { runBatch, type BatchPlan } from './batch.ts';
import { OPTIONS, type ExchangesOptions } from './options.ts';
import { markdownTable, summarize } from './summary.ts';

/** Fresh exchanges over a link that loses. */
export const exchanges = subjectOf(OPTIONS, measure);

async function measure(asked: ExchangesOptions): Promise<Measured> {
  const options = { ...asked, batch: Math.min(asked.count, asked.batch) };
  const batches = await inTurns(planned(options), options.parallel, (plan) => runBatch(plan, options), ({ kind, ends }) => `${kind}, driver at ${ends}`);
  const head = [
    `TCP ${await congestionControl()}; link ${[options.profile, ...options.link].join(' ')}, seed ${options.seed}`,
    `Fresh exchanges, ${options.batch} on one start of the link, ${options.parallel} links at once, ${serversText(options)}; ratios against a stock client.`,
  ];
  return { results: { options, batches }, rounds: rounds(options), table: markdownTable(summarize(batches, options), head) };
}

function serversText({ fartherMs }: ExchangesOptions): string {
  return fartherMs === 0 ? 'one server' : `every second one with a server whose round trip is ${fartherMs} ms longer`;
}

function rounds({ count, batch }: ExchangesOptions): number {
  return Math.ceil(count / batch);
}

/** What is compared takes turns, so that the machine's moods meet all alike. */
function planned(options: ExchangesOptions): BatchPlan[] {
  const { seed, kinds, ends } = options;
  const random = seededRandom(seed);
  const plans: BatchPlan[] = [];
  for (let round = 0; round < rounds(options); round += 1) {
    for (const kind of kinds) plans.push(...shuffled(ends, random).map((one) => ({ kind, ends: one, round })));
  }
  return plans;
}
