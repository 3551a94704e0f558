import { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { FlowEnds } from '../driver/repairedFlow.ts';
import type { AnswerFlow } from './answerRepair.ts';
import type { OpenedSocket } from './openSocket.ts';

/** What was read last, as the memory that it is in. */
interface Chunk {
  readonly memory: ArrayBufferLike;
  readonly byteOffset: number;
  readonly length: number;
  /** In the stream. */
  readonly offset: number;
}

/** Null where it has none any more. */
export function endsOf({ localAddress, localPort, remoteAddress, remotePort }: Socket): FlowEnds | null {
  if (localAddress === undefined || localPort === undefined || remoteAddress === undefined || remotePort === undefined) return null;
  return { local: { address: localAddress, port: localPort }, remote: { address: remoteAddress, port: remotePort } };
}

/**
 * The stream of a TCP connection that HTTP/1.1 is spoken on in clear, and where in it what its reader passes on stands: undici does not say how long the head of an answer is. What it passes on are
 * views of the memory that it has read last, so their places there tell; one that is no such view has no place.
 */
export class PlainFlow implements AnswerFlow {
  readonly ends: FlowEnds;
  private last: Chunk | null = null;

  private constructor(socket: Socket, ends: FlowEnds) {
    this.ends = ends;
    const read = socket.read.bind(socket) as (size?: number) => Buffer | null;
    socket.read = (size?: number): Buffer | null => {
      const chunk = read(size);
      // what is behind it is in the socket, or has not come
      if (chunk !== null) this.last = { memory: chunk.buffer, byteOffset: chunk.byteOffset, length: chunk.length, offset: socket.bytesRead - socket.readableLength - chunk.length };
      return chunk;
    };
  }

  /** That of a socket; null where there is TLS or a relay on it. */
  static of({ socket, relayed }: OpenedSocket): PlainFlow | null {
    if (relayed !== undefined || !(socket instanceof Socket) || socket instanceof TLSSocket) return null;
    const ends = endsOf(socket);
    return ends && new PlainFlow(socket, ends);
  }

  offsetOf(piece: Buffer): number | null {
    const { last } = this;
    if (last === null || last.memory !== piece.buffer) return null;
    const inside = piece.byteOffset - last.byteOffset;
    return inside >= 0 && inside + piece.length <= last.length ? last.offset + inside : null;
  }
}
