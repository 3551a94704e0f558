import type { Estimate } from '../../../shared/src/statistics/statistics.ts';
import { tableLines } from '../../report/markdown.ts';
import { estimateText } from '../driver/comparison.ts';
import type { Results } from './results.ts';
import type { BodyRow, MemoryRow, ReaderRow, SmallRow, Summary } from './summary.ts';
import type { Verdict } from './targets.ts';
import { WAY_NOTES, WAYS } from './ways.ts';

const NONE = '–';
const BYTES_PER_MB = 1_000_000;
const MS_PER_S = 1_000;

const MEASURES: Readonly<Record<ReaderRow['measure'], string>> = {
  totalMs: 'reader has all',
  deliveredMs: 'link has brought all',
  serverMs: 'server has written all',
};

/** The results as Markdown, for docs/results. */
export function markdownTable({ options, versions, congestion, reader, link }: Results, summary: Summary, verdicts: readonly Verdict[]): string {
  const head = [`Medians over rounds; seed ${options.seed}`, ...Object.values(versions)].join(', ');
  const sections = [
    section('Against the targets of issue 3', ['', 'target', 'measured', 'verdict'], verdicts.map(({ what, target, value, unit, verdict }) => [what, `${target} ${unit}`, `${value.toFixed(2)} ${unit}`, verdict])),
    section('Small requests (1 KiB)', ['', 'way', 'median ms', 'added ms', 'p95 ms', 'requests/s', 'x mitmproxy', 'processor ms a request'], summary.small.map(smallCells)),
    section(`One body of ${mb(options.bodyBytes)} MB`, ['way', 'MB/s', 'x mitmproxy', 'x mitmproxy, streaming', 'processor s', 'most resident MB'], summary.body.map(bodyCells)),
    section(`The same, a reader that stops for 10 s`, ['way', 'idle MB', 'most resident MB', 'MB taken from the server at its end', 'whole s'], summary.memory.map(memoryCells)),
    section(
      `IB: ${mb(options.readerBytes)} MB over ${options.profile} (servers: ${congestion}), a reader that stops for ${options.stopMs / MS_PER_S} s after 0.1 MB`,
      ['receive buffer at most, kB', 's from the start until', 'direct', 'through our proxy', 'ratio'], summary.reader.map(readerCells),
    ),
  ];
  const runs = reader.map(({ run, way, receiveBufferBytes, totalMs, deliveredMs, serverMs, deliveredAtResumeBytes, linkLatenessP99Us }) => [
    String(run), kb(receiveBufferBytes), way, seconds(totalMs), seconds(deliveredMs), seconds(serverMs), kb(deliveredAtResumeBytes), (linkLatenessP99Us / 1_000).toFixed(1),
  ]);
  return [
    head, '',
    ...sections.filter((text) => text !== ''),
    section('Each run', ['pair', 'receive buffer at most, kB', 'way', 'reader has all s', 'link has brought all s', 'server has written all s', 'kB there when it went on', 'link late p99 ms'], runs),
    ...(link === null ? [] : [`Link: RTT ${link.check?.rttMs.toFixed(0) ?? NONE} ms, down ${((link.check?.downRateBitsPerSecond ?? Number.NaN) / 1e6).toFixed(2)} Mbit/s by its own check.`, '']),
    ...WAYS.map((way) => `- ${way}: ${WAY_NOTES[way]}`), '',
  ].join('\n');
}

function smallCells({ kind, way, medianMs, addedMs, p95Ms, perSecond, ratioToMitmproxy, processorMs }: SmallRow): string[] {
  return [kind, way, interval(medianMs, 3), interval(addedMs, 3), p95Ms.toFixed(3), interval(perSecond, 0), interval(ratioToMitmproxy, 1), processorMs?.toFixed(3) ?? NONE];
}

function bodyCells({ way, bytesPerSecond, ratioToMitmproxy, ratioToStreaming, processorMs, peakBytes }: BodyRow): string[] {
  return [
    way, estimateText(bytesPerSecond, (bytes) => (bytes / BYTES_PER_MB).toFixed(0)), interval(ratioToMitmproxy, 1), interval(ratioToStreaming, 1),
    processorMs === null ? NONE : (processorMs / MS_PER_S).toFixed(1), peakBytes === null ? NONE : mb(peakBytes),
  ];
}

function memoryCells({ way, idleBytes, peakBytes, takenBytes, ms }: MemoryRow): string[] {
  return [way, mb(idleBytes), mb(peakBytes), mb(takenBytes), seconds(ms)];
}

function readerCells({ receiveBufferBytes, measure, direct, firstscreen, ratio }: ReaderRow): string[] {
  return [kb(receiveBufferBytes), MEASURES[measure], estimateText(direct, seconds), estimateText(firstscreen, seconds), interval(ratio, 2)];
}

/** Nothing for a part that was not measured. */
function section(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  return [`## ${title}`, '', ...tableLines(header, rows), ''].join('\n');
}

function interval(estimate: Estimate | null, digits: number): string {
  return estimate === null ? NONE : estimateText(estimate, (value) => value.toFixed(digits));
}

function mb(bytes: number): string {
  const value = bytes / BYTES_PER_MB;
  return value.toFixed(value < 10 ? 1 : 0);
}

function kb(bytes: number): string {
  return (bytes / 1_000).toFixed(0);
}

function seconds(ms: number): string {
  return (ms / MS_PER_S).toFixed(1);
}
