import type { ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';
import { ENDLESS, type Sender } from '../queue/sender.ts';
import { breakOffStream } from './resetStream.ts';

/** A server may take so long over the last bytes of a tunnel that has ended in both directions. */
const LINGER_MS = 60_000;

/** The client's side of a tunnel. */
export interface TunnelStream {
  readonly stream: ServerHttp2Stream;
  /** The client has broken it off. Node's stream does not tell that from an end. */
  readonly broken: AbortSignal;
}

/**
 * Joins a stream and a connection to a server until both directions have ended, each as its own side ends it. What comes from the server goes by the queue of the carrier; a side that breaks off resets the
 * other (RFC 9113, section 8.5), which must not take what it has for the whole.
 *
 * @param server in paused mode
 */
export function join({ stream, broken }: TunnelStream, server: Socket, level: number, sender: Pick<Sender, 'send'>): void {
  stream.pipe(server, { end: false });
  stream.once('end', () => {
    if (!broken.aborted) server.end();
  });
  sender.send(stream, server, level, ENDLESS);
  server.once('error', () => breakOffStream(stream, 'the server has broken it off'));
  stream.once('close', () => {
    server.on('error', () => undefined);
    const isWhole = stream.readableEnded && stream.writableFinished;
    // what the client has sent to the end is on its way to the server yet
    if (isWhole && server.writableEnded) server.setTimeout(LINGER_MS, () => server.destroy());
    else breakOff(server);
  });
}

/** A server must not take what it has for the whole. One whose end is just being sent can not be told (libuv's uv_tcp_close_reset). */
function breakOff(server: Socket): void {
  if (server.writableEnded && !server.writableFinished) server.destroy();
  else server.resetAndDestroy();
}
