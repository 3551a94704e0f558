import { withDirectory } from '../commandLine.ts';
import { subjectOf, type Measured } from '../driver/subject.ts';
import { congestionControl } from '../machine.ts';
import { measureCost } from './cost.ts';
import { OPTIONS, type ProxyBenchOptions } from './options.ts';
import { installPeers } from './peers.ts';
import { measureReader } from './reader.ts';
import { summarize } from './summary.ts';
import { markdownTable } from './table.ts';
import { judge } from './targets.ts';

/** What the proxy costs, and what IB gains. */
export const proxy = subjectOf(OPTIONS, (options) => withDirectory('firstscreen-proxy-bench-', (directory) => measure(options, directory)));

async function measure(options: ProxyBenchOptions, temporaryDir: string): Promise<Measured> {
  const say = (text: string): void => void process.stderr.write(`${text}\n`);
  const needsPeers = options.parts.some((part) => part !== 'reader');
  const peers = needsPeers ? await installPeers() : null;
  const cost = peers === null ? { small: [], body: [], memory: [] } : await measureCost(options, temporaryDir, peers, say);
  const reader = options.parts.includes('reader') ? await measureReader(options, temporaryDir, ({ run: pair, way, receiveBufferBytes, totalMs }) => say(`reader ${pair}, ${way}, ${receiveBufferBytes}: ${Math.round(totalMs)} ms`)) : { reader: [], link: null };
  const results = { options, versions: peers?.versions ?? {}, ...cost, ...reader, congestion: await congestionControl() };
  const summary = summarize(results, options.seed);
  const verdicts = judge(summary);
  // of the part that has fewest
  const rounds = [results.small, results.body, results.reader].filter(({ length }) => length > 0).map((part) => Math.max(...part.map(({ run }) => run)));
  return { results, rounds: rounds.length === 0 ? null : Math.min(...rounds), table: markdownTable(results, summary, verdicts), hasMissed: verdicts.some(({ verdict }) => verdict === 'missed') };
}
