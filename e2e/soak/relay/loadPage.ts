import { Agent, request as httpRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { gunzipSync } from 'node:zlib';
import type { HelperOfTests } from '../../relay/helperOfTests.ts';
import type { Page, PageObject } from './page.ts';
import type { PageServers } from './pageServers.ts';

/** What a load has given. */
export interface Loaded {
  readonly ms: number;
  /** What of it is missing or wrong. */
  readonly violations: readonly string[];
  /** Its form was sent, and answered. */
  readonly isPosted: boolean;
}

/** So many connections to the proxy, as browsers make to three servers. */
const CONNECTIONS = 18;
/** A load that is not over by then has lost something. */
const LIMIT_MS = 60_000;
/** Which object a form is sent beside. */
const POST_BESIDE = 8;

/**
 * Loads a page by a helper's proxy as a browser does: its document first, then all else at once, a form among it. Nothing is asked for again,
 * but for a safe request on a kept connection that its other end closes at this moment (RFC 9110, section 9.2.2).
 */
export async function loadPage({ objects: [document, ...others], post }: Page, servers: PageServers, helper: HelperOfTests): Promise<Loaded> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const startMs = performance.now();
  const violations: string[] = [];
  let isPosted = false;
  const get = async (object: PageObject | undefined): Promise<void> => {
    if (object === undefined) return;
    const fault = await ask('GET', `http://${servers.authority(object.server)}${object.path}`, helper, agent).then(({ status, body, coding }) => faultOf(object, status, body, coding), String);
    if (fault !== null) violations.push(`${object.path}, ${object.kind}, ${object.body.length} bytes: ${fault}`);
  };
  await get(document);
  await Promise.all(others.map(async (object, place) => {
    // that it fails is told of, not a violation: it may have been done
    if (place === POST_BESIDE) isPosted = await ask('POST', `http://${servers.authority(0)}${post}`, helper, agent).then(({ status }) => status === 200, () => false);
    await get(object);
  }));
  const ms = performance.now() - startMs;
  agent.destroy();
  return { ms, violations, isPosted };
}

interface Answer {
  readonly status: number;
  readonly coding: string | undefined;
  readonly body: Buffer;
}

/** @throws when the answer is not whole */
function ask(method: 'GET' | 'POST', url: string, helper: HelperOfTests, agent: Agent): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const headers = { host: new URL(url).host, 'proxy-authorization': helper.authorization, 'accept-encoding': 'gzip', 'user-agent': 'soak' };
    const request = httpRequest({ host: '127.0.0.1', port: helper.port, agent, method, path: url, headers, signal: AbortSignal.timeout(LIMIT_MS) });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const wasClosed = request.reusedSocket && error.code === 'ECONNRESET' && method === 'GET';
      if (wasClosed) ask(method, url, helper, agent).then(resolve, reject);
      else reject(error);
    });
    request.on('response', (response) => {
      buffer(response).then((body) => resolve({ status: response.statusCode ?? 0, coding: response.headers['content-encoding'], body }), reject);
    });
    request.end(method === 'POST' ? 'a form' : undefined);
  });
}

/** What is wrong with an answer; null for nothing. */
function faultOf({ body }: PageObject, status: number, came: Buffer, coding: string | undefined): string | null {
  if (status !== 200) return `status ${status}`;
  try {
    const plain = coding === 'gzip' ? gunzipSync(came) : came;
    return plain.equals(body) ? null : `${plain.length} bytes, other ones`;
  } catch {
    return 'broken';
  }
}
