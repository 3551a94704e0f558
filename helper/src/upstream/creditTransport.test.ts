import { once } from 'node:events';
import { constants, createServer, type ClientHttp2Session, type Http2Server, type ServerHttp2Session } from 'node:http2';
import { connect, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listenLocally, portOf } from '../../../shared/src/node/testing/localServer.ts';
import { openSpeaking } from '../testing/loopback.ts';
import type { CreditedStream } from './connection.ts';
import { DirectConnection } from './directConnection.ts';
import { CreditTransport } from './creditTransport.ts';
import { FrameSplitter, FrameType } from './frames.ts';

const LARGE_BYTES = 400_000;
const CREDIT_BYTES = 50_000;

let server: Http2Server;
/** Before the server, and hears what is said to it. */
let relay: Server;
let said: number[];
let session: ServerHttp2Session | undefined;
let socket: Socket;

beforeEach(async () => {
  [said, session] = [[], undefined];
  server = createServer();
  server.on('session', (begun) => (session = begun));
  server.on('stream', (stream) => {
    stream.on('error', () => undefined);
    stream.respond({ ':status': 200, 'content-length': String(LARGE_BYTES) });
    stream.end(Buffer.alloc(LARGE_BYTES, 7));
  });
  relay = createTcpServer((side) => {
    const other = connect(portOf(server), '127.0.0.1');
    for (const each of [side, other]) each.on('error', () => undefined).on('close', () => [side, other].forEach((end) => end.destroy()));
    const splitter = new FrameSplitter();
    side.on('data', (chunk) => {
      for (const piece of splitter.push(chunk)) if (!Buffer.isBuffer(piece)) said.push(piece.type);
    });
    side.pipe(other).pipe(side);
  });
  for (const each of [server, relay]) await listenLocally(each);
  ({ socket } = await openSpeaking('h2', portOf(relay)));
});
afterEach(() => {
  socket.destroy();
  session?.destroy();
  relay.close();
  server.close();
});

interface Answer {
  hasBegun: boolean;
  received: number;
  hasEnded: boolean;
  stream: CreditedStream | null;
}

function ask(connection: DirectConnection): Answer {
  const answer: Answer = { hasBegun: false, received: 0, hasEnded: false, stream: null };
  connection.send({ method: 'GET', path: '/', headers: [] }, {
    onRequestStart: () => undefined,
    onResponseStart: () => (answer.hasBegun = true),
    onResponseData: (_, chunk) => void (answer.received += chunk.length),
    onResponseEnd: () => (answer.hasEnded = true),
    onResponseError: () => undefined,
  }, (stream) => (answer.stream = stream));
  return answer;
}

describe('over HTTP/2', () => {
  it('each answer comes as far as it has credit, and stops there while others go on', async () => {
    const connection = new DirectConnection(0, 'http://a.test', { socket, rttMs: 1 }, () => undefined);
    const [first, second] = [ask(connection), ask(connection)];
    await expect.poll(() => first.hasBegun && second.hasBegun).toBe(true);
    expect(session?.remoteSettings.initialWindowSize).toBe(0);
    first.stream?.give(CREDIT_BYTES);
    await expect.poll(() => first.received).toBe(CREDIT_BYTES);
    second.stream?.give(LARGE_BYTES);
    await expect.poll(() => second.hasEnded).toBe(true);
    expect(second.received).toBe(LARGE_BYTES);
    // read, and not let go on by the session's own word
    expect(first.received).toBe(CREDIT_BYTES);
    first.stream?.give(LARGE_BYTES);
    await expect.poll(() => first.hasEnded).toBe(true);
    expect(first.received).toBe(LARGE_BYTES);
    connection.destroy();
  });

  it('padding takes nothing of it, though a stream\'s window counts it', async () => {
    const [pieces, pieceBytes] = [100, 100];
    const padding = await listenLocally(createServer({ paddingStrategy: constants.PADDING_STRATEGY_MAX }).on('stream', (stream) => {
      stream.respond({ ':status': 200, 'content-length': String(pieces * pieceBytes) });
      // small frames: there is no room for it in full ones
      const write = (left: number): void => void stream.write(Buffer.alloc(pieceBytes), () => (left > 1 ? write(left - 1) : stream.end()));
      write(pieces);
    }));
    const connection = new DirectConnection(0, 'http://a.test', await openSpeaking('h2', portOf(padding)), () => undefined);
    const answer = ask(connection);
    await expect.poll(() => answer.hasBegun).toBe(true);
    answer.stream?.give(pieces * pieceBytes);
    await expect.poll(() => [answer.received, answer.hasEnded]).toEqual([pieces * pieceBytes, true]);
    connection.destroy();
    padding.close();
  });

  it('what one event says of several streams is one write', async () => {
    const connection = new DirectConnection(0, 'http://a.test', { socket, rttMs: 1 }, () => undefined);
    const [first, second] = [ask(connection), ask(connection)];
    await expect.poll(() => first.hasBegun && second.hasBegun).toBe(true);
    const writes = vi.spyOn(socket, 'write');
    for (const { stream } of [first, second]) {
      stream?.give(CREDIT_BYTES);
      stream?.prioritize('u=5');
    }
    await Promise.resolve();
    expect(writes).toHaveBeenCalledTimes(1);
    await expect.poll(() => [first.received, second.received, said.filter((type) => type === FrameType.priorityUpdate).length]).toEqual([CREDIT_BYTES, CREDIT_BYTES, 2]);
    connection.destroy();
  });

  it('a stream that nobody has announced comes whole', async () => {
    const connection = new DirectConnection(0, 'http://a.test', { socket, rttMs: 1 }, () => undefined);
    const answer = ask(connection);
    await expect.poll(() => answer.hasBegun).toBe(true);
    const { session: client } = connection as unknown as { readonly session: ClientHttp2Session };
    let received = 0;
    const stream = client.request({ ':path': '/' }).on('data', (chunk: Buffer) => (received += chunk.length));
    await once(stream, 'end');
    expect(received).toBe(LARGE_BYTES);
    connection.destroy();
  });

  it('a request that has left is given another priority, and nothing is said of one that is over', async () => {
    const connection = new DirectConnection(0, 'http://a.test', { socket, rttMs: 1 }, () => undefined);
    const answer = ask(connection);
    await expect.poll(() => answer.stream !== null).toBe(true);
    answer.stream?.prioritize('u=5');
    await expect.poll(() => said.filter((type) => type === FrameType.priorityUpdate)).toHaveLength(1);
    answer.stream?.give(LARGE_BYTES);
    await expect.poll(() => answer.hasEnded).toBe(true);
    const before = said.length;
    answer.stream?.prioritize('u=2');
    answer.stream?.give(1);
    ask(connection);
    await expect.poll(() => said.length).toBeGreaterThan(before);
    expect(said.filter((type) => type === FrameType.priorityUpdate)).toHaveLength(1);
    connection.destroy();
  });
});

it('a connection that nothing was asked on yet is closed as soon as its server has ended it', async () => {
  const settings = Buffer.from([0, 0, 0, FrameType.settings, 0, 0, 0, 0, 0]);
  const ending = await listenLocally(createTcpServer((side) => side.on('error', () => undefined).end(settings)));
  let timesClosed = 0;
  const connection = new DirectConnection(0, 'http://a.test', await openSpeaking('h2', portOf(ending)), () => (timesClosed += 1));
  await expect.poll(() => [timesClosed, connection.isOpen]).toEqual([1, false]);
  ending.close();
});

it('a transport ends with its socket, and its socket with it', async () => {
  const transport = new CreditTransport(socket, () => undefined);
  transport.destroy();
  await expect.poll(() => socket.destroyed && transport.closed).toBe(true);
  transport.give(1, 1);
});
