import { DEFAULT_LEVEL } from '../../../shared/src/relay/wire.ts';
import type { BegunAnswer } from '../upstream/begunAnswer.ts';
import type { OpenConnection, UpstreamConnection } from '../upstream/connection.ts';
import type { UpstreamRequest } from '../upstream/fetch.ts';
import { transfer, type TransferHost } from '../upstream/transfer.ts';

const nothing = (): void => undefined;
/** Nobody else asks on its connection: nothing of it is ranked, and nothing is told of the link. */
const ALONE: Pick<TransferHost, 'mayRepeat' | 'isCredited' | 'told' | 'lost' | 'left' | 'answered' | 'received' | 'held' | 'unusable'> = {
  mayRepeat: false, isCredited: false, told: { level: DEFAULT_LEVEL, pushes: null },
  lost: nothing, left: nothing, answered: nothing, received: nothing, held: nothing, unusable: nothing,
};

/** Fetches the rest of an answer that has begun on connections of its own: on the next one where one is lost, as often as the answer may be. */
export class RestOfAnswer {
  private readonly request: UpstreamRequest;
  private readonly begun: BegunAnswer;
  private readonly open: OpenConnection;
  private readonly ended: (isWhole: boolean) => void;
  private connection: UpstreamConnection | null = null;
  private isOver = false;

  /** @param ended called once, unless this is closed before */
  constructor(request: UpstreamRequest, begun: BegunAnswer, open: OpenConnection, ended: (isWhole: boolean) => void) {
    [this.request, this.begun, this.open, this.ended] = [request, begun, open, ended];
    this.next();
  }

  close(): void {
    this.isOver = true;
    this.leave();
  }

  /** By what was asked last nothing more comes. */
  private next(): void {
    if (this.begun.lost()) void this.ask();
    else this.end(false);
  }

  private async ask(): Promise<void> {
    this.leave();
    try {
      const connection = await this.open(this.request.origin, 0, nothing, true);
      if (this.isOver) connection.destroy();
      else this.askOn((this.connection = connection));
    } catch {
      this.end(false);
    }
  }

  private askOn(connection: UpstreamConnection): void {
    const way = this.begun.way({ ahead: nothing, repeats: nothing, again: () => void this.ask(), broken: () => this.end(false) });
    const lost = (): void => {
      way.leave();
      this.next();
    };
    transfer(this.request, way, connection, {
      ...ALONE,
      headers: this.begun.fieldsOf(this.request.headers),
      isWanted: () => this.connection === connection,
      ended: () => this.end(way.isWhole),
      repeat: lost,
      failed: lost,
    });
  }

  private leave(): void {
    const { connection } = this;
    this.connection = null;
    connection?.destroy();
  }

  private end(isWhole: boolean): void {
    if (this.isOver) return;
    this.close();
    this.ended(isWhole);
  }
}
