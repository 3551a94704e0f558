import type { Estimate } from '../../../../shared/src/statistics/statistics.ts';
import { documentText, estimateText, mean, pairsOf, ratioOfTotals, runsOn, total } from '../comparison.ts';
import { PLAIN_PORT, REGISTERED_PORT, type Counters, type Flow } from '../transfers/plan.ts';
import { throughput, type Transfer } from '../transfers/transfer.ts';
import type { Ten, Way } from './options.ts';

/** What a comparison is made on. */
export interface Condition {
  readonly profile: string;
  readonly loss: number;
  readonly congestion: string;
  readonly ten: Ten;
  readonly way: Way;
}

export interface FairnessPlan extends Condition {
  /** Whether the ten have RAR. */
  readonly isRegistered: boolean;
  /** The same for both that are compared. */
  readonly round: number;
}

export type FairnessRun = FairnessPlan & Transfer;

export interface FairnessRow extends Condition {
  readonly rounds: number;
  /** Mean Mbit/s of the plain flow: beside ten plain ones, beside ten with RAR. */
  readonly plainFlow: readonly [number, number];
  readonly plainFlowRatio: Estimate;
  /** What the ten carry together: requests answered, or bytes. */
  readonly tenRatio: Estimate;
  /** Copies, as percent of all packets and bytes offered to the link while the ten had RAR. */
  readonly copiesPercent: number;
  readonly copyBytesPercent: number;
  /** Copies that the limits kept back, and messages that had fewer as loss looked like congestion. */
  readonly linkBusy: number;
}

/** Rounds as rows. Pure. */
export function summarize(runs: readonly FairnessRun[], conditions: readonly Condition[], seed: number): FairnessRow[] {
  return conditions.map((condition) => row(runsOn(runs, condition), condition, seed));
}

function row(runs: readonly FairnessRun[], condition: Condition, seed: number): FairnessRow {
  const [plain, registered] = [false, true].map((isRegistered) => runs.filter((run) => run.isRegistered === isRegistered).toSorted((a, b) => a.round - b.round)) as [FairnessRun[], FairnessRun[]];
  const ratio = (value: (run: FairnessRun) => number): Estimate => ratioOfTotals(pairsOf(registered, plain, value), seed);
  const counted = (value: (counters: Counters) => number): number => total(registered.flatMap(({ near, far }) => [near, far].flatMap((one) => (one === null ? [] : value(one)))));
  const offered = (value: (carried: FairnessRun['link']['up']) => number): number => total(registered.map(({ link }) => value(link.up) + value(link.down)));
  return {
    ...condition, rounds: registered.length,
    plainFlow: [mean(plain.map(ofPlainFlow)), mean(registered.map(ofPlainFlow))],
    plainFlowRatio: ratio(ofPlainFlow),
    tenRatio: ratio(ofTheTen),
    copiesPercent: (100 * counted(({ rar }) => rar.copies)) / offered(({ packets }) => packets),
    copyBytesPercent: (100 * counted(({ rar }) => rar.copyBytes)) / offered(({ bytes }) => bytes),
    linkBusy: counted(({ rar }) => rar.linkBusy),
  };
}

const both = ({ upBytes, downBytes }: Flow): number => upBytes + downBytes;

function ofPlainFlow({ flows }: FairnessRun): number {
  return throughput(flows.filter(({ port }) => port === PLAIN_PORT), both);
}

function ofTheTen({ flows, ten }: FairnessRun): number {
  const own = flows.filter(({ port }) => port === REGISTERED_PORT);
  return ten === 'requests' ? total(own.map(({ requests, seconds }) => requests / seconds)) : throughput(own, both);
}

export function conditionText({ profile, loss, congestion, ten, way }: Condition): string {
  return `${profile}, loss ${loss}, ${congestion}, ${ten}, ${way}`;
}

/** As Markdown, for docs/results. */
export function markdownTable(rows: readonly FairnessRow[], head: readonly string[]): string {
  const columns = [
    'link', 'loss', 'TCP', 'the ten', 'plain flow', 'n', 'plain flow beside plain, Mbit/s', 'beside RAR', 'ratio', 'ratio of the ten', 'copies, % of packets', '% of bytes', 'messages with fewer copies, as the link was busy',
  ];
  const cells = rows.map((one) => [
    one.profile, String(one.loss), one.congestion, one.ten, one.way, String(one.rounds), ...one.plainFlow.map((rate) => rate.toFixed(2)), estimateText(one.plainFlowRatio), estimateText(one.tenRatio),
    one.copiesPercent.toFixed(1), one.copyBytesPercent.toFixed(1), String(one.linkBusy),
  ]);
  return documentText(head, columns, cells);
}
