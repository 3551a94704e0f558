import type { FirstscreenError } from '../../../shared/src/errors.ts';
import type { RawHeaders } from '../http/rawHeaders.ts';
import { drained } from '../spool/drained.ts';
import { SpooledBody, type SpoolOptions } from '../spool/spooledBody.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import type { BrowserSide } from './browserSide.ts';
import type { RequestTarget } from '../http/requestTarget.ts';

export interface ExchangeHost {
  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch;
  /** What is known of the object at this URL. */
  describe(url: string, headers: RawHeaders): Pick<UpstreamRequest, 'fetchClass' | 'index' | 'bytes'>;
  /** The answer's fields are there. */
  answered(url: string, request: RawHeaders, response: RawHeaders): void;
  /** From now on the browser goes to this host itself. @returns whether it has been told, so that it may be sent there */
  leave(host: string, reason: FirstscreenError): Promise<boolean>;
  readonly spool: SpoolOptions;
}

const TEMPORARY_REDIRECT = 307;
const BAD_GATEWAY = 502;

/** One request of the browser, and its answer as the server gives it, through a spool that takes it at the line's rate. */
export function exchange(browser: BrowserSide, target: RequestTarget, host: ExchangeHost): void {
  const body = new SpooledBody(host.spool);
  const url = `${target.origin}${target.path}`;
  const { method, fields: headers } = browser;
  let hasStarted = false;

  const fetch = host.fetch(
    { method, origin: target.origin, path: target.path, headers, body: browser.body, foreseenFor: null, ...host.describe(url, headers) },
    {
      // browsers pass over what comes before an answer on HTTP/1.1
      informed: () => undefined,
      started: (status, statusText, fields) => {
        hasStarted = true;
        host.answered(url, headers, fields);
        if (!browser.head(status, statusText, fields)) {
          // nothing else can be said of an answer that can not be passed on
          browser.cutOff();
          return;
        }
        void pump(body, browser);
      },
      data: (chunk) => (body.write(chunk) ? null : body.room()),
      ended: (trailers) => {
        browser.trailers(trailers);
        body.end();
      },
      failed: (error, wasSent) => {
        if (hasStarted) body.end(error);
        else void refuse(browser, url, target.host, error, wasSent, host);
      },
    },
  );
  browser.onClose((isWhole) => {
    if (!isWhole) fetch.cancel();
    void body.close();
  });
}

async function pump(body: SpooledBody, browser: BrowserSide): Promise<void> {
  try {
    for await (const chunk of body.read()) {
      if (!browser.sink.write(chunk)) await drained(browser.sink, browser.isGone);
    }
    browser.sink.end();
  } catch {
    // as the server has cut it off
    browser.cutOff();
  }
}

/**
 * The browser shows its own error, or succeeds where we could not: it is sent to the same URL again, without us. What a server may have got already is not
 * made twice; then the connection ends as the server's has.
 */
async function refuse(browser: BrowserSide, url: string, host: string, error: FirstscreenError, wasSent: boolean, { leave }: Pick<ExchangeHost, 'leave'>): Promise<void> {
  if (wasSent) {
    browser.cutOff();
    return;
  }
  const mayLeave = await leave(host, error);
  if (browser.isGone) return;
  if (mayLeave) {
    browser.head(TEMPORARY_REDIRECT, 'Temporary Redirect', ['location', url, 'cache-control', 'no-store', 'content-length', '0']);
    browser.sink.end();
  } else {
    browser.head(BAD_GATEWAY, 'Bad Gateway', ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store']);
    browser.sink.end(`${error.code}: ${error.message}\n${error.next}\n`);
  }
}
