import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';

/** Who takes an answer, or hands it on in another coding. */
export interface AnswerSink {
  /** Once, first. @param fields end to end */
  start(fields: RawHeaders): void;
  /** @returns whether more may come */
  data(chunk: Buffer): boolean;
  end(): void;
  /** Its reader asks for more. */
  wanted(): void;
  /** It is cut off, or nobody wants it any more. */
  close(): void;
}
