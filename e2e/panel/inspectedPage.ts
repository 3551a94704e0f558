import type { Page } from 'playwright-core';
import type { TestEntry } from './harEntries.ts';

interface OpenRequest {
  readonly url: string;
  readonly method: string;
  readonly type: string;
  readonly wallMs: number;
  /** Of the monotonic clock, in seconds. */
  readonly startS: number;
  response: { status: number; mimeType: string; protocol?: string | undefined; connectionId: number; fromDiskCache?: boolean | undefined; timing?: { requestTime: number; receiveHeadersEnd: number; sendStart: number } | undefined } | null;
}

const MS_PER_S = 1_000;

/** Tells of the requests of a page's own document as the developer tools do, which get it the same way. */
export async function inspect(page: Page, told: (entry: TestEntry) => void): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const open = new Map<string, OpenRequest>();
  session.on('Network.requestWillBeSent', ({ requestId, request, wallTime, timestamp, type = 'Other' }) => open.set(requestId, { url: request.url, method: request.method, type, wallMs: wallTime * MS_PER_S, startS: timestamp, response: null }));
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const request = open.get(requestId);
    if (request !== undefined) request.response = response;
  });
  session.on('Network.loadingFinished', ({ requestId, timestamp, encodedDataLength }) => {
    const request = open.get(requestId);
    open.delete(requestId);
    if (request?.response) told(entryOf(request, request.response, timestamp, encodedDataLength));
  });
  await session.send('Network.enable');
}

function entryOf({ url, method, type, wallMs, startS }: OpenRequest, response: NonNullable<OpenRequest['response']>, endS: number, bytes: number): TestEntry {
  const time = (endS - startS) * MS_PER_S;
  const { timing, status, mimeType, connectionId, protocol: httpVersion = '' } = response;
  const sentMs = timing === undefined ? 0 : Math.max(0, (timing.requestTime - startS) * MS_PER_S + timing.sendStart);
  const headMs = timing === undefined ? time : Math.max(sentMs, (timing.requestTime - startS) * MS_PER_S + timing.receiveHeadersEnd);
  const entry = {
    startedDateTime: new Date(wallMs).toISOString(), time,
    request: { method, url, httpVersion },
    response: { status, httpVersion, content: { size: bytes, mimeType }, headersSize: -1, bodySize: -1, _transferSize: bytes },
    timings: { blocked: sentMs, dns: -1, connect: -1, ssl: -1, send: 0, wait: headMs - sentMs, receive: Math.max(0, time - headMs) },
    connection: String(connectionId), _resourceType: type.toLowerCase(), ...(response.fromDiskCache === true ? { _fromCache: 'disk' } : {}),
  };
  return entry;
}
