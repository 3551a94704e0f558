import type { Readable } from 'node:stream';
import { FirstscreenError, coded, type ErrorCode } from '../../../shared/src/errors.ts';
import type { LogSink } from '../../../shared/src/log.ts';
import { challengesConnection } from '../http/connectionAuthentication.ts';
import { isSafe } from '../../../shared/src/node/http/methods.ts';
import { isAttachment, mediaTypeOf } from '../../../shared/src/node/http/mediaType.ts';
import { valueOf, type RawHeaders } from '../../../shared/src/node/http/rawHeaders.ts';
import { shortBody } from '../../../shared/src/node/http/shortBody.ts';
import type { ObjectRanks } from '../prediction/objectRanks.ts';
import { pump } from '../spool/pump.ts';
import { SpooledBody, type SpoolOptions } from '../spool/spooledBody.ts';
import { unreadableAnswer, type Fetch, type ResponseSink, type UpstreamRequest } from '../upstream/fetch.ts';
import type { BrowserSide } from './browserSide.ts';
import type { RequestTarget } from '../http/requestTarget.ts';

export interface ExchangeHost {
  fetch(request: UpstreamRequest, sink: ResponseSink): Fetch;
  readonly ranks: Pick<ObjectRanks, 'describe' | 'watch' | 'answered'>;
  /** From now on the browser goes to this host itself. @returns whether it has been told, so that it may be sent there */
  leave(host: string): Promise<boolean>;
  readonly spool: SpoolOptions;
  readonly log: LogSink;
}

const TEMPORARY_REDIRECT = 307;
const PROXY_AUTHENTICATION_REQUIRED = 407;
const BAD_GATEWAY = 502;
/** What the browser and its server see to between themselves. */
const FOR_A_TUNNEL: ReadonlySet<ErrorCode> = new Set(['E_UPSTREAM_TLS', 'E_UPSTREAM_ANSWER', 'E_CLIENT_CERTIFICATE']);
/** Films and music, and cameras whose next picture takes the place of the last. */
const PLAYED = /^(audio|video)\/|^multipart\/x-mixed-replace$/;

/** One request of the browser, and its answer as the server gives it, through a spool that takes it at the line's rate. */
export function exchange(browser: BrowserSide, target: RequestTarget, host: ExchangeHost): void {
  const begin = (asked: Readable | Buffer | null): void => {
    try {
      make(browser, asked, target, host);
    } catch (error) {
      // a defect ends this request, and not the helper
      const failure = coded(error, 'The proxy failed to make a request.');
      host.log({ level: 'error', scope: 'proxy', message: 'a request failed', fields: { code: failure.code } });
      say(browser, failure);
    }
  };
  const short = shortBody(browser.body, browser.fields);
  if (short === null) begin(browser.body);
  else void short.then((asked) => {
    // what was cut off is no request
    if (asked === null) browser.cutOff();
    else if (!browser.isGone) begin(asked);
  });
}

function make(browser: BrowserSide, asked: Readable | Buffer | null, target: RequestTarget, host: ExchangeHost): void {
  const body = new SpooledBody(host.spool);
  const url = `${target.origin}${target.path}`;
  const { method, fields: headers } = browser;
  let hasStarted = false;

  const fetch = host.fetch(
    { method, origin: target.origin, path: target.path, headers, body: asked, browser: browser.connection, isForeseen: false, ...host.ranks.describe(url, headers) },
    {
      informed: (status, fields) => browser.informed(status, fields),
      started: (status, statusText, fields) => {
        hasStarted = true;
        if (isTakenAtWill(fields)) body.stayInMemory();
        host.ranks.answered(url, headers, fields);
        // who is to be known by his connection needs one of his own
        if (challengesConnection(fields)) browser.stepAside?.();
        if (status === PROXY_AUTHENTICATION_REQUIRED && browser.stepAside === null) {
          // the browser would take it for ours
          fetch.cancel();
          say(browser, new FirstscreenError('E_UPSTREAM', 'The server asks for what only a proxy may ask for.', 'Tell who runs the server.'));
        } else if (browser.head(status, statusText, fields)) pump(body, browser.sink, () => browser.isGone).catch(() => browser.cutOff());
        else {
          fetch.cancel();
          void refuse(browser, url, target.host, unreadableAnswer(), true, host);
        }
      },
      data: (chunk) => (body.write(chunk) ? null : body.room()),
      ended: (trailers) => {
        browser.trailers(trailers);
        body.end();
      },
      failed: (error, wasSent) => {
        if (hasStarted) {
          body.end(error);
          // this one is cut off; its page may ask again
          if (FOR_A_TUNNEL.has(error.code)) void passOver(browser, target.host, error, host);
        } else void refuse(browser, url, target.host, error, wasSent, host);
      },
    },
  );
  // where an image stands is mostly known when its request waits here already
  const unwatch = host.ranks.watch(url, (ranked) => fetch.rank(ranked));
  browser.onClose((isWhole) => {
    unwatch();
    if (!isWhole) fetch.cancel();
    void body.close();
  });
}

/**
 * Whether how fast a body is taken is its user's will: a film that is not played, or a download that is halted, is to stand
 * still on the link, too.
 */
function isTakenAtWill(fields: RawHeaders): boolean {
  return PLAYED.test(mediaTypeOf(fields)) || isAttachment(fields);
}

/**
 * The browser shows its own error, or succeeds where we could not: it is sent to the same URL again, without us. What a
 * server may have got already is not made twice: then the connection ends as the server's
 * has, or, since browsers make any request again whose connection ends so, an error is said where that would do harm.
 */
async function refuse(browser: BrowserSide, url: string, host: string, error: FirstscreenError, wasSent: boolean, exchangeHost: Pick<ExchangeHost, 'leave'>): Promise<void> {
  const isHarmless = isSafe(browser.method);
  if (wasSent && !FOR_A_TUNNEL.has(error.code)) {
    if (isHarmless) browser.cutOff();
    else say(browser, error);
    return;
  }
  const passed = passOver(browser, host, error, exchangeHost);
  const mayLeave = passed === true || (await passed);
  if (browser.isGone) return;
  if (!mayLeave || (wasSent && !isHarmless)) say(browser, error);
  // a preflight may not be redirected (Fetch, "CORS-preflight fetch")
  else if (valueOf(browser.fields, 'access-control-request-method') !== null) browser.cutOff();
  else {
    browser.head(TEMPORARY_REDIRECT, 'Temporary Redirect', ['location', url, 'cache-control', 'no-store', 'content-length', '0', ...readableRedirect(browser.fields)]);
    browser.sink.end();
  }
}

/** What we can not bring is the browser's own from now on. @returns whether it will go there itself */
function passOver({ stepAside }: BrowserSide, host: string, { code }: FirstscreenError, { leave }: Pick<ExchangeHost, 'leave'>): true | Promise<boolean> {
  if (stepAside === null || !FOR_A_TUNNEL.has(code)) return leave(host);
  stepAside();
  return true;
}

/**
 * A redirect that a page's script may follow (Fetch, "CORS check" and "cross-origin resource policy check"): the server
 * that it leads to is asked again.
 */
function readableRedirect(request: RawHeaders): string[] {
  const origin = valueOf(request, 'origin');
  const embedded = ['cross-origin-resource-policy', 'cross-origin'];
  return origin === null ? embedded : [...embedded, 'access-control-allow-origin', origin, 'access-control-allow-credentials', 'true', 'vary', 'origin'];
}

function say(browser: BrowserSide, { code, message, next }: FirstscreenError): void {
  if (browser.isGone) return;
  browser.head(BAD_GATEWAY, 'Bad Gateway', ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store']);
  browser.sink.end(`${code}: ${message}\n${next}\n`);
}
