import type { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import type { RawHeaders } from '../http/rawHeaders.ts';
import { SpooledBody, type SpoolOptions } from '../spool/spooledBody.ts';
import type { Fetch, ResponseSink } from '../upstream/fetch.ts';

interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: RawHeaders;
}

/** An answer to a request that was made before the browser asked: kept until somebody claims it, then passed on as if it came now. */
export class PredictedAnswer implements ResponseSink {
  /** Of the object. */
  readonly url: string;
  /** The page's origin and the server's. */
  readonly direction: string;
  isComplete = false;
  /** Of the request, from the moment when it is made. */
  fetch: Fetch | null = null;
  private readonly body: SpooledBody;
  private readonly watch: Pick<ResponseSink, 'started' | 'ended' | 'failed'> & { received(chunk: Buffer): void };
  /** Null when it has failed before its fields were there. */
  private readonly head: Promise<Head | null>;
  private setHead: (head: Head | null) => void = () => undefined;
  private trailers: RawHeaders = [];

  /** @param watch hears what comes, whoever takes it */
  constructor({ url, direction }: Pick<PredictedAnswer, 'url' | 'direction'>, spool: SpoolOptions, watch: PredictedAnswer['watch']) {
    this.url = url;
    this.direction = direction;
    this.body = new SpooledBody(spool);
    this.watch = watch;
    this.head = new Promise((resolve) => (this.setHead = resolve));
  }

  informed(): void {
    // nobody has asked yet
  }

  started(status: number, statusText: string, headers: RawHeaders): void {
    this.setHead({ status, statusText, headers });
    this.watch.started(status, statusText, headers);
  }

  data(chunk: Buffer): Promise<void> | null {
    this.watch.received(chunk);
    return this.body.write(chunk) ? null : this.body.room();
  }

  ended(trailers: RawHeaders): void {
    this.trailers = trailers;
    this.isComplete = true;
    this.body.end();
    this.watch.ended(trailers);
  }

  failed(error: FirstscreenError, wasSent: boolean): void {
    this.setHead(null);
    this.body.end(error);
    this.watch.failed(error, wasSent);
  }

  /**
   * Passes the answer on to who has claimed it.
   *
   * @param suits whether it is an answer to the claim, by its fields
   * @param otherwise makes the claim's own request: this is no answer to it
   */
  claim(sink: ResponseSink, suits: (headers: RawHeaders) => boolean, otherwise: () => Fetch): Fetch {
    let other: Fetch | null = null;
    let isCancelled = false;
    // it changes while something is waited for
    const isOver = (): boolean => isCancelled;
    const pass = async (): Promise<void> => {
      const head = await this.head;
      if (isOver()) return;
      if (head === null || !suits(head.headers)) {
        this.drop();
        other = otherwise();
        return;
      }
      sink.started(head.status, head.statusText, head.headers);
      try {
        for await (const chunk of this.body.read()) {
          const wait = sink.data(chunk);
          if (wait !== null) await wait;
        }
      } catch (error) {
        sink.failed(error as FirstscreenError, true);
        return;
      }
      if (!isOver()) sink.ended(this.trailers);
      this.drop();
    };
    void pass();
    return {
      rank: (fetchClass: FetchClass) => (other ?? this.fetch)?.rank(fetchClass),
      await: (fetchClass: FetchClass) => (other ?? this.fetch)?.await(fetchClass),
      cancel: () => {
        isCancelled = true;
        other?.cancel();
        this.drop();
      },
    };
  }

  /** Nobody wants it, or nobody any more. */
  drop(): void {
    this.fetch?.cancel();
    void this.body.close();
  }
}
