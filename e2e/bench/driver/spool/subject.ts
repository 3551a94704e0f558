import { readFile } from 'node:fs/promises';
import { receiveBufferBound } from '../../proxy/receiveBuffers.ts';
import { subjectOf, type Measured } from '../subject.ts';
import { inTurns, plansInTurns } from '../turns.ts';
import { OPTIONS, type SpoolOptions } from './options.ts';
import { WAYS } from './plan.ts';
import { runTransfer, type Condition } from './run.ts';
import { markdownTable, summarize } from './summary.ts';

/** A program that does not read all the time, stock and led into the helper's spool. */
export const spool = subjectOf(OPTIONS, measure);

async function measure(options: SpoolOptions): Promise<Measured> {
  const conditions = options.patterns.flatMap((pattern) => options.receiveBuffers.flatMap((receiveBuffer) => options.losses.flatMap((loss) => options.congestion.map((congestion): Condition => ({ pattern, receiveBuffer, loss, congestion })))));
  const runs = await inTurns(plansInTurns(conditions, 'way', WAYS, options), options.parallel, (plan) => runTransfer(plan, options), ({ pattern, receiveBuffer, loss, congestion, way }) => `${pattern}, buffer ${receiveBuffer ?? 'default'}, loss ${loss}, ${congestion}, ${way}`);
  const bound = receiveBufferBound(await readFile('/proc/sys/net/ipv4/tcp_rmem', 'utf8'));
  const head = [
    `Link ${[options.profile, ...options.link].join(' ')}, seed ${options.seed}; ${options.bytes} bytes; TCP's own receive buffer grows up to ${bound} bytes (tcp_rmem).`,
    `From the first segment to the last byte that the program has read; ${options.parallel} links at once. Medians; ratio of pairs, spool to stock.`,
  ];
  return { results: { options, runs }, rounds: options.rounds, table: markdownTable(summarize(runs, conditions, options.seed), head) };
}
