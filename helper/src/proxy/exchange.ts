import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FirstscreenError } from '../../../shared/src/errors.ts';
import { endToEnd, type RawHeaders } from '../http/rawHeaders.ts';
import { SpooledBody, type SpoolOptions } from '../spool/spooledBody.ts';
import type { Fetch, ResponseSink, UpstreamRequest } from '../upstream/fetch.ts';
import type { RequestTarget } from './requestTarget.ts';

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
export function exchange(request: IncomingMessage, response: ServerResponse, target: RequestTarget, host: ExchangeHost): void {
  const body = new SpooledBody(host.spool);
  const url = `${target.origin}${target.path}`;
  response.sendDate = false;
  let hasStarted = false;

  const fetch = host.fetch(
    {
      method: request.method ?? 'GET',
      origin: target.origin,
      path: target.path,
      headers: endToEnd(request.rawHeaders),
      body: hasBody(request) ? request : null,
      ...host.describe(url, request.rawHeaders),
    },
    {
      // browsers pass over what comes before an answer on HTTP/1.1
      informed: () => undefined,
      started: (status, statusText, headers) => {
        hasStarted = true;
        host.answered(url, request.rawHeaders, headers);
        if (!writeHead(response, status, statusText, headers)) {
          // nothing else can be said of an answer that can not be passed on
          response.destroy();
          return;
        }
        void pump(body, response);
      },
      data: (chunk) => (body.write(chunk) ? null : body.room()),
      ended: (trailers) => {
        const fields = endToEnd(trailers);
        if (fields.length > 0) response.addTrailers(pairsOf(fields));
        body.end();
      },
      failed: (error, wasSent) => {
        if (hasStarted) body.end(error);
        else void refuse(response, url, target.host, error, wasSent, host);
      },
    },
  );
  response.once('close', () => {
    if (!response.writableFinished) fetch.cancel();
    void body.close();
  });
}

/** A request has a body when one of these fields says so (RFC 9112, section 6). */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** @returns false for a field that Node would not send: what the browser would have made of it is its own business */
function writeHead(response: ServerResponse, status: number, statusText: string, headers: RawHeaders): boolean {
  try {
    response.writeHead(status, statusText, endToEnd(headers));
    response.flushHeaders();
    return true;
  } catch {
    return false;
  }
}

async function pump(body: SpooledBody, response: ServerResponse): Promise<void> {
  try {
    for await (const chunk of body.read()) {
      if (!response.write(chunk)) await drained(response);
    }
    response.end();
  } catch {
    // cut off, as the server has cut it off: the browser must not take it for whole
    response.destroy();
  }
}

/** There is room for more, or nobody to take it. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
  });
}

/**
 * The browser shows its own error, or succeeds where we could not: it is sent to the same URL again, without us. What a server may have got already is not
 * made twice; then the connection ends as the server's has.
 */
async function refuse(response: ServerResponse, url: string, host: string, error: FirstscreenError, wasSent: boolean, { leave }: Pick<ExchangeHost, 'leave'>): Promise<void> {
  if (wasSent) {
    response.destroy();
    return;
  }
  const mayLeave = await leave(host, error);
  if (response.destroyed) return;
  if (mayLeave) response.writeHead(TEMPORARY_REDIRECT, { location: url, 'cache-control': 'no-store', 'content-length': 0 }).end();
  else response.writeHead(BAD_GATEWAY, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' }).end(`${error.code}: ${error.message}\n${error.next}\n`);
}

function pairsOf(fields: readonly string[]): [string, string][] {
  const pairs: [string, string][] = [];
  for (let i = 0; i + 1 < fields.length; i += 2) pairs.push([fields[i] ?? '', fields[i + 1] ?? '']);
  return pairs;
}
