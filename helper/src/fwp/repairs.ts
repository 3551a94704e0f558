import { lengthOf } from '../../../shared/src/node/http/contentLength.ts';
import { valuesOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { codingOf } from '../../../shared/src/node/relay/keptBodies.ts';
import { contentRangeOf, strongValidatorOf } from '../http/partialContent.ts';
import type { AnswerFlow, AnswerRepairs, RepairHost } from '../upstream/answerRepair.ts';
import { mayRepeat, type AnswerSink } from '../upstream/begunAnswer.ts';
import type { OpenConnection } from '../upstream/connection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import type { RepairLimits } from './holeRepair.ts';
import { boundaryOf } from './multipartRanges.ts';
import { OriginGain } from './originGain.ts';
import { RepairedAnswer, type FlowDriver, type RepairContext, type RepairableBody } from './repairedAnswer.ts';
import { SideConnections } from './sideConnections.ts';

const [OK, PARTIAL_CONTENT] = [200, 206];
/** Some fifty segments: of 2 % one is lost. */
const MIN_BYTES = 64 * 1024;
/** Segments that overtake each other on a path differ by less than `waitMs`; a queue before a slow link holds an answer up for `silenceMs`; browsers and programs wait longer than `holeMs`. */
const LIMITS: RepairLimits = { questionMs: 4, waitMs: 5, retryMs: 250, silenceMs: 5_000, holeMs: 20_000 };

export interface RepairsOptions {
  readonly driver: FlowDriver;
  /** Makes connections beside those of answers. */
  readonly open: OpenConnection;
  /** Monotonic, in milliseconds. */
  readonly now: () => number;
  readonly log: LogSink;
  readonly limits?: RepairLimits;
  readonly minBytes?: number;
}

/** FWP's session layer for all answers of this process: which of them are repaired, and what that has gained. */
export class Repairs implements AnswerRepairs {
  private readonly context: RepairContext;

  constructor({ driver, open, now, log, limits = LIMITS, minBytes = MIN_BYTES }: RepairsOptions) {
    this.context = { driver, sides: new SideConnections(open), gain: new OriginGain(), limits, minBytes, waiting: { bytes: 0 }, now, log };
  }

  repair(request: UpstreamRequest, flow: AnswerFlow | null, sink: AnswerSink, host: RepairHost): RepairedAnswer | null {
    if (flow === null || !this.context.driver.canRepair || !mayRepeat(request)) return null;
    return new RepairedAnswer(flow, sink, host, this.context, (status, fields) => this.judge(request, status, fields));
  }

  networkChanged(): void {
    this.context.sides.retire();
  }

  close(): void {
    this.context.sides.retire();
  }

  private judge(request: UpstreamRequest, status: number, fields: RawHeaders): RepairableBody | null {
    const body = repairable(request, status, fields);
    if (body === null || body.lengthBytes < this.context.minBytes) return null;
    const { gain, now } = this.context;
    const decision = gain.decide(request.origin, body.lengthBytes, now());
    return decision === 'leave' ? null : { ...body, isCompared: decision === 'compare' };
  }
}

/** What of an answer parts can be asked for by itself: in no coding, of known length, of a representation that can be told from every other. */
function repairable(request: UpstreamRequest, status: number, fields: RawHeaders): Omit<RepairableBody, 'isCompared'> | null {
  const validator = strongValidatorOf(fields);
  const lengthBytes = lengthOf(fields);
  const isPlain = codingOf(fields) === '' && valuesOf(fields, 'transfer-encoding').length === 0 && boundaryOf(fields) === null;
  const isRanged = !valuesOf(fields, 'accept-ranges').some((value) => value.trim().toLowerCase() === 'none');
  if (validator === null || lengthBytes === null || !isPlain || !isRanged) return null;
  const range = status === PARTIAL_CONTENT ? contentRangeOf(fields) : { first: 0, end: lengthBytes, ofBytes: lengthBytes };
  if ((status !== OK && status !== PARTIAL_CONTENT) || range === null || range.end !== range.first + lengthBytes) return null;
  return { representation: { request, fields, validator, ofBytes: range.ofBytes }, first: range.first, lengthBytes };
}
