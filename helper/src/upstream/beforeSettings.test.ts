import { createServer as createHttp2Server, type Http2Server } from 'node:http2';
import { connect, createServer, type Server } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import { NOT_TAKEN } from './connection.ts';
import { DirectConnection } from './directConnection.ts';

const ASKED = 6;
const CREDIT_BYTES = 1_000;

let server: Http2Server;
/** Before the server, so that what it says can be kept back. */
let relay: Server;
let letSpeak: () => void;
let asked: number;
let connection: DirectConnection;

beforeEach(async () => {
  asked = 0;
  const spoken: PromiseWithResolvers<void> = Promise.withResolvers();
  letSpeak = spoken.resolve;
  server = createHttp2Server({ settings: { maxConcurrentStreams: 2 } });
  server.on('stream', (stream, { ':path': path }) => {
    asked += 1;
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200 });
    stream.end(path);
  });
  relay = createServer((side) => {
    const other = connect(portOf(server), '127.0.0.1');
    for (const socket of [side, other]) socket.on('error', () => undefined);
    side.pipe(other);
    void spoken.promise.then(() => other.pipe(side));
  });
  for (const each of [server, relay]) await listenLocally(each);
  connection = new DirectConnection(0, 'http://a.test', await openSpeaking('h2', portOf(relay)), () => undefined);
});
afterEach(() => {
  letSpeak();
  connection.destroy();
  relay.close();
  server.close();
});

function ask(path: string, body: Readable | null = null): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let answer = '';
  connection.send({ method: body === null ? 'GET' : 'POST', path, headers: [], body }, {
    onRequestStart: () => undefined,
    onResponseStart: () => undefined,
    onResponseData: (_, chunk) => void (answer += String(chunk)),
    onResponseEnd: () => resolve(answer),
    onResponseError: (_, error) => reject(error),
  }, (stream) => stream.give(CREDIT_BYTES));
  return promise;
}

describe('a new connection over HTTP/2', () => {
  it('carries all that is asked for, also before the server has said anything', async () => {
    const paths = Array.from({ length: ASKED }, (_, place) => `/${place}`);
    const answers = Promise.all(paths.map((path) => ask(path)));
    // a server takes as many as it says, which nobody has heard yet
    await expect.poll(() => asked).toBeGreaterThan(1);
    letSpeak();
    // and what it has refused comes all the same
    expect(await answers).toEqual(paths);
  });

  it('carries a body once the server has said how much it takes, as it can not be sent again', async () => {
    const answers = [...Array.from({ length: ASKED }, () => ask('/')), ask('/body', Readable.from(['body']))];
    await expect.poll(() => asked).toBeGreaterThan(1);
    letSpeak();
    expect((await Promise.all(answers)).at(-1)).toBe('/body');
  });

  it('has not taken a body that waits so, where it takes no more meanwhile', async () => {
    const answer = ask('/');
    const body = ask('/body', Readable.from(['body']));
    await expect.poll(() => asked).toBe(1);
    connection.close();
    letSpeak();
    await expect(body).rejects.toBe(NOT_TAKEN);
    expect(await answer).toBe('/');
  });
});
