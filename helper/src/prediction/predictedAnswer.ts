import type { FetchClass } from '../../../shared/src/fetching/fetchObject.ts';
import { coded, type FirstscreenError } from '../../../shared/src/errors.ts';
import type { RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { SpooledBody, type SpoolOptions } from '../spool/spooledBody.ts';
import type { Fetch, ResponseSink } from '../upstream/fetch.ts';
import type { AnswerHead } from './requestMatch.ts';

interface Head extends AnswerHead {
  readonly statusText: string;
}

/** Hears what comes, whoever takes it. */
interface Watch {
  started(head: AnswerHead): void;
  received(chunk: Buffer): void;
  ended(): void;
  failed(): void;
}

/**
 * An answer to a request that was made before the browser asked: kept until somebody claims it, then passed on as if it
 * came now.
 */
export class PredictedAnswer implements ResponseSink {
  /** Of the request, from the moment when it is made. */
  private fetch: Fetch | null = null;
  private unwatch: () => void = () => undefined;
  private readonly body: SpooledBody;
  private readonly watch: Watch;
  /** Null when it has failed before its fields were there. */
  private readonly head = Promise.withResolvers<Head | null>();
  private trailers: RawHeaders = [];

  constructor(spool: SpoolOptions, watch: Watch) {
    this.body = new SpooledBody(spool);
    this.watch = watch;
  }

  /** The request is made. @param unwatch ends what is told of the object's rank */
  asked(fetch: Fetch, unwatch: () => void): void {
    this.fetch = fetch;
    this.unwatch = unwatch;
  }

  /** The browser will send these fields. @returns whether its request goes with them, as it was not sent yet */
  revise(headers: RawHeaders): boolean {
    return this.fetch?.revise(headers) ?? false;
  }

  informed(): void {
    // nobody has asked yet
  }

  started(status: number, statusText: string, headers: RawHeaders): void {
    const head: Head = { status, statusText, headers };
    this.head.resolve(head);
    this.watch.started(head);
  }

  data(chunk: Buffer): Promise<void> | null {
    this.watch.received(chunk);
    return this.body.write(chunk) ? null : this.body.room();
  }

  ended(trailers: RawHeaders): void {
    this.trailers = trailers;
    this.body.end();
    this.unwatch();
    this.watch.ended();
  }

  failed(error: FirstscreenError): void {
    this.head.resolve(null);
    this.body.end(error);
    this.unwatch();
    this.watch.failed();
  }

  /**
   * Passes the answer on to who has claimed it.
   *
   * @param suits whether it is an answer to the claim
   * @param otherwise makes the claim's own request: this is no answer to it
   */
  claim(sink: ResponseSink, suits: (head: AnswerHead) => boolean, otherwise: () => Fetch): Fetch {
    let other: Fetch | null = null;
    let isCancelled = false;
    // it changes while something is waited for
    const isOver = (): boolean => isCancelled;
    const pass = async (): Promise<void> => {
      const head = await this.head.promise;
      if (isOver()) return;
      if (head === null || !suits(head)) {
        this.drop();
        other = otherwise();
        return;
      }
      sink.started(head.status, head.statusText, head.headers);
      for await (const chunk of this.body.read()) {
        const wait = sink.data(chunk);
        if (wait !== null) await wait;
      }
      if (!isOver()) sink.ended(this.trailers);
      this.drop();
    };
    pass().catch((error: unknown) => {
      this.drop();
      sink.failed(coded(error, 'What was kept of an answer could not be passed on.'), true);
    });
    return {
      rank: (fetchClass: FetchClass) => (other ?? this.fetch)?.rank(fetchClass),
      await: (fetchClass, priority) => (other ?? this.fetch)?.await(fetchClass, priority),
      revise: (headers) => (other ?? this.fetch)?.revise(headers) ?? false,
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
    this.unwatch();
    void this.body.close();
  }
}
