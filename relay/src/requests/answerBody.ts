import { Readable } from 'node:stream';

/** What a stream of the carrier may keep in the relay; the rest stays in the server's connection (docs/relay.md). */
const KEPT_BYTES = 64 * 1024;

/** The body of an answer between the server that sends it and the queue that takes it. */
export class AnswerBody extends Readable {
  private readonly wanted: () => void;

  /** @param wanted more may come, after `add` has said that no more may */
  constructor(wanted: () => void) {
    super({ highWaterMark: KEPT_BYTES });
    this.wanted = wanted;
  }

  /** @returns whether more may come */
  add(chunk: Buffer): boolean {
    return this.push(chunk);
  }

  end(): void {
    this.push(null);
  }

  override _read(): void {
    this.wanted();
  }
}
