import { congestionControl } from '../../machine.ts';
import { subjectOf, type Measured } from '../subject.ts';
import { inTurns, plansInTurns } from '../turns.ts';
import { runBatch } from './batch.ts';
import { OPTIONS, type ExchangesOptions } from './options.ts';
import { markdownTable, summarize } from './summary.ts';

/** Fresh exchanges over a link that loses. */
export const exchanges = subjectOf(OPTIONS, measure);

async function measure(asked: ExchangesOptions): Promise<Measured> {
  const options = { ...asked, batch: Math.min(asked.count, asked.batch) };
  const rounds = Math.ceil(options.count / options.batch);
  const plans = plansInTurns(options.kinds.map((kind) => ({ kind })), 'ends', options.ends, { rounds, seed: options.seed });
  const batches = await inTurns(plans, options.parallel, (plan) => runBatch(plan, options), ({ kind, ends }) => `${kind}, driver at ${ends}`);
  const head = [
    `TCP ${await congestionControl()}; link ${[options.profile, ...options.link].join(' ')}, seed ${options.seed}`,
    `Fresh exchanges, ${options.batch} on one start of the link, ${options.parallel} links at once, ${options.fartherMs === 0 ? 'one server' : `every second one with a server whose round trip is ${options.fartherMs} ms longer`}; ratios against a stock client.`,
  ];
  return { results: { options, batches }, rounds, table: markdownTable(summarize(batches, options), head) };
}
