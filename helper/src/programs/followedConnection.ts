import type { Follower, Taker } from '../driver/spoolRelay.ts';
import type { FlowEnds } from '../driver/repairedFlow.ts';
import { HeadReader, type MessageHead } from '../http/messageHead.ts';
import { strongValidatorOf } from '../http/partialContent.ts';
import type { AnswerFlow, AnswerRepair, AnswerRepairs } from '../upstream/answerRepair.ts';
import { BegunAnswer, type AnswerSink } from '../upstream/begunAnswer.ts';
import type { OpenConnection } from '../upstream/connection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import { followedAnswer, followedRequest } from './exchangeHeads.ts';
import { RestOfAnswer } from './restOfAnswer.ts';

/** More than programs ask for at once (apt: 10). */
const MAX_PIPELINED = 64;
const nothing = (): void => undefined;

/** A program's connection to its server. */
export interface ProgramConnection {
  readonly ends: FlowEnds;
  /** Nothing more is to come on it. */
  hangUp(): void;
}

/** What all of them have in common. */
export interface ProgramRepairs {
  readonly repairs: AnswerRepairs;
  readonly open: OpenConnection;
}

/** A body that comes. */
interface Body {
  bytesToCome: number;
  /** Null where it is passed on as it comes. */
  readonly repair: AnswerRepair | null;
}

/**
 * Follows the requests of a program and their answers, one behind the other (RFC 9112, section 9.3), where that is HTTP/1.1 in clear, and has bodies repaired. All but the repaired bytes of bodies pass
 * as they are; with the first message that is not a GET or an answer of known length, all that comes from there on passes untouched.
 *
 *     head ──length──► body ──all of it passed on──► head
 *      └──anything else──► let go             lost ──► the rest by another connection, and this one ends
 */
export class FollowedConnection implements Follower {
  private readonly to: Taker;
  private readonly connection: ProgramConnection;
  private readonly of: ProgramRepairs;
  private readonly origin: string;
  private readonly flow: AnswerFlow;
  private readonly requestHeads = new HeadReader();
  private readonly answerHeads = new HeadReader();
  /** Not answered yet, in their order. */
  private readonly requests: UpstreamRequest[] = [];
  private areRequestsFollowed = true;
  private areAnswersFollowed = true;
  /** In the stream, behind what is passed on now. */
  private offset = 0;
  private body: Body | null = null;
  private rest: RestOfAnswer | null = null;
  /** The connection has ended while its last body waited. */
  private ending: { readonly error: Error | null } | null = null;
  /** Nothing counts any more that comes on this connection. */
  private isOver = false;

  constructor(connection: ProgramConnection, to: Taker, of: ProgramRepairs) {
    [this.connection, this.to, this.of] = [connection, to, of];
    this.origin = originOf(connection.ends.remote);
    this.flow = { ends: connection.ends, offsetOf: ({ length }) => this.offset - length };
  }

  asked(chunk: Buffer): void {
    for (let behind = chunk; this.areRequestsFollowed && behind.length > 0; ) {
      const read = this.requestHeads.push(behind);
      if (read === 'part') return;
      const request = read === 'none' ? null : followedRequest(read.head, this.origin);
      if (read === 'none' || request === null || this.requests.length === MAX_PIPELINED) {
        this.areRequestsFollowed = false;
        return;
      }
      this.requests.push(request);
      behind = read.behind;
    }
  }

  data(chunk: Buffer): Promise<void> | null {
    if (this.isOver) return null;
    if (!this.areAnswersFollowed) return this.to.data(chunk);
    return this.body === null ? this.takeHead(chunk) : this.takeBody(this.body, chunk);
  }

  end(error: Error | null): void {
    if (this.isOver) return;
    if (this.body?.bytesToCome === 0) {
      this.ending ??= { error };
      return;
    }
    this.close();
    this.to.end(error);
  }

  close(): void {
    this.isOver = true;
    this.body?.repair?.close();
    this.rest?.close();
  }

  private takeHead(chunk: Buffer): Promise<void> | null {
    const read = this.answerHeads.push(chunk);
    const behind = typeof read === 'string' ? Buffer.alloc(0) : read.behind;
    this.offset += chunk.length - behind.length;
    const wait = this.to.data(chunk.subarray(0, chunk.length - behind.length));
    if (read === 'part') return wait;
    const request = this.requests.shift();
    if (read === 'none' || request === undefined || !this.begin(request, read.head)) this.areAnswersFollowed = false;
    return behind.length > 0 ? this.data(behind) : wait;
  }

  /** @returns whether the end of this answer is known */
  private begin(request: UpstreamRequest, head: MessageHead): boolean {
    const answer = followedAnswer(head);
    if (answer === null) return false;
    if (answer.lengthBytes > 0) this.body = { bytesToCome: answer.lengthBytes, repair: this.repairOf(request) };
    this.body?.repair?.started(answer.status, '', head.fields);
    return true;
  }

  private repairOf(request: UpstreamRequest): AnswerRepair | null {
    const { repairs, open } = this.of;
    // its head has passed already
    const sink: AnswerSink = { informed: nothing, started: nothing, data: (chunk) => this.to.data(chunk) };
    const begun = new BegunAnswer(sink, strongValidatorOf);
    return repairs.repair(request, this.flow, sink, {
      begin: () => begun.way({ ahead: nothing, repeats: nothing, again: nothing, broken: nothing }),
      lost: () => {
        this.isOver = true;
        this.rest = new RestOfAnswer(request, begun, open, (isWhole) => this.to.end(isWhole ? null : new Error('the rest of an answer can not be had')));
        this.connection.hangUp();
      },
    });
  }

  private takeBody(body: Body, chunk: Buffer): Promise<void> | null {
    const part = chunk.subarray(0, body.bytesToCome);
    body.bytesToCome -= part.length;
    this.offset += part.length;
    const wait = (body.repair ?? this.to).data(part);
    return body.bytesToCome > 0 ? wait : this.finish(body, wait, chunk.subarray(part.length));
  }

  /** All of a body has come; what is behind it waits until it was passed on. */
  private async finish({ repair }: Body, wait: Promise<void> | null, behind: Buffer): Promise<void> {
    await wait;
    await new Promise<void>((resolve) => (repair === null ? resolve() : repair.ended(resolve)));
    this.body = null;
    if (behind.length > 0) await this.data(behind);
    if (this.ending !== null) this.end(this.ending.error);
  }
}

/** Of the server at an address. */
function originOf({ address, port }: FlowEnds['remote']): string {
  return new URL(`http://${address.includes(':') ? `[${address}]` : address}:${port}`).origin;
}
