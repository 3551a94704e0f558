import type { FlowEnds } from '../driver/repairedFlow.ts';
import type { AnswerSink } from './begunAnswer.ts';
import type { UpstreamRequest } from './fetch.ts';

/** The stream of a TCP connection that answers come on. */
export interface AnswerFlow {
  /** By which the driver knows it. */
  readonly ends: FlowEnds;
  /** How many bytes the server has sent on this connection before this piece, which its reader passes on now; null where that is not known. */
  offsetOf(piece: Buffer): number | null;
}

/** Who has an answer repaired. */
export interface RepairHost {
  /** It is to be repaired, and its head comes now. @returns who takes it from now on, so that it may go on by another way */
  begin(): AnswerSink;
  /** What is missing can not be had: the rest is to come by another way. */
  lost(): void;
}

/** Stands between a connection and whoever takes an answer that comes on it. */
export interface AnswerRepair extends AnswerSink {
  /** All of it has come. @param done called when all of it was passed on; never after `close` */
  ended(done: () => void): void;
  /** Nobody wants it any more, or it has failed. */
  close(): void;
}

/** Repairs answers on a connection's way to their takers. */
export interface AnswerRepairs {
  /** @param flow what it comes on; null where that is not HTTP/1.1 in clear. @returns null where nothing would be repaired */
  repair(request: UpstreamRequest, flow: AnswerFlow | null, sink: AnswerSink, host: RepairHost): AnswerRepair | null;
  /** Connections that were made before are not used any more. */
  networkChanged(): void;
  close(): void;
}
