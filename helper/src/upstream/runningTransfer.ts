import { levelOf, type FetchObject } from '../../../shared/src/fetching/fetchObject.ts';
import type { AnswerRepair } from './answerRepair.ts';
import type { AnswerWay } from './begunAnswer.ts';
import type { CreditedStream, RankedStream, SentStream, UpstreamConnection } from './connection.ts';
import type { TimedCredit, TimedCredits } from './timedCredits.ts';
import type { Transfer } from './transfer.ts';

/** A request on a connection: what its answer comes by, how urgent the other end takes it for, and what it may send. */
export class RunningTransfer {
  readonly connection: UpstreamConnection;
  transfer: Transfer | null = null;
  /** Of what has come of its answer, where that may go on by another way. */
  way: AnswerWay | null = null;
  /** What stands between its connection and its way; null for nothing. */
  repair: AnswerRepair | null = null;
  private readonly credits: TimedCredits;
  /** As the server was told; null where it is not. */
  private priority: string | null;
  /** That the other end knows. */
  private level: number;
  /** Once it has left, where its other end needs credit. */
  private sent: { readonly stream: CreditedStream; readonly credit: TimedCredit } | null = null;
  /** The same, where it keeps our order. */
  private ranked: RankedStream | null = null;

  /** @param priority that its server is told as it leaves; null where it is told none */
  constructor(connection: UpstreamConnection, credits: TimedCredits, { level, priority }: { level: number; priority: string | null }) {
    [this.connection, this.credits, this.level, this.priority] = [connection, credits, level, priority];
  }

  /** It has left. @param given told of the credit that its stream gets */
  left(stream: SentStream, object: FetchObject, given: (bytes: number) => void): void {
    if ('rank' in stream) {
      this.ranked = stream;
      return;
    }
    // undici sends what a server has refused once more, on another stream
    this.endCredit();
    const give = (bytes: number): void => {
      given(bytes);
      stream.give(bytes);
    };
    this.sent = { stream, credit: this.credits.open(object, give, stream.unreadBytes) };
  }

  answered(length: number | null): void {
    this.sent?.credit.answered(length);
  }

  received(bytes: number): void {
    this.sent?.credit.received(bytes);
  }

  hold(isHeld: boolean): void {
    this.sent?.credit.hold(isHeld);
  }

  /** It is stopped, or let go on, and its other end told. @param priorityNow as its server would be told it */
  rank(object: FetchObject, priorityNow: () => string): void {
    const level = levelOf(object);
    if (this.ranked !== null && level !== this.level) {
      this.level = level;
      this.ranked.rank(level);
    }
    if (this.sent === null) return;
    this.sent.credit.rank(object);
    if (this.priority === null) return;
    const priority = priorityNow();
    if (priority !== this.priority) this.sent.stream.prioritize(priority);
    this.priority = priority;
  }

  /** It is under way no more. */
  end(): void {
    this.endCredit();
    this.repair?.close();
  }

  /** Nothing more counts that comes by it. @param reason that its connection is told */
  stop(reason: string): void {
    this.end();
    this.way?.leave();
    this.transfer?.stop(new Error(reason));
  }

  private endCredit(): void {
    const { sent } = this;
    this.sent = null;
    sent?.credit.end();
  }
}
